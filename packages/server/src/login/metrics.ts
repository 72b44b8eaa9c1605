// How sign-ins fare, by the process that answers them. Never by email or address.
import { metrics } from '@florin/platform/metrics'
import { Counter } from 'prom-client'

export const signIns = new Counter({
  name: 'florin_sign_ins_total',
  help: 'Sign-ins by outcome: signed_in, wrong (no such code), refused (the account is suspended or closed)',
  labelNames: ['outcome'] as const,
  registers: [metrics],
})
export const codes = new Counter({
  name: 'florin_sign_in_codes_total',
  help: 'Codes that were asked for, by outcome: made, limited (told to wait)',
  labelNames: ['outcome'] as const,
  registers: [metrics],
})
