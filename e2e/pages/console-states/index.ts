// Every page and state of the console that a person can meet, over the seeded server: what axe judges
// and the pictures show.
import { accountStates } from './accounts.ts'
import { addressStates } from './addresses.ts'
import { keyStates } from './keys.ts'
import { orderStates } from './orders.ts'
import { overviewStates } from './overview.ts'
import { sellingStates } from './selling.ts'
import { settingStates } from './settings.ts'
import { signInStates } from './sign-in.ts'
import type { ConsoleState } from './state.ts'
import { webhookStates } from './webhooks.ts'

export { isFailedRequest, openConsoleState } from './state.ts'

export const consoleStates: readonly ConsoleState[] = [
  ...signInStates,
  ...overviewStates,
  ...orderStates,
  ...addressStates,
  ...sellingStates,
  ...keyStates,
  ...webhookStates,
  ...settingStates,
  ...accountStates,
]
