// The calls of receiving addresses.
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boss, type Page } from '../api.ts'
import { keys } from '../query-keys.ts'

export interface Warning {
  code: string
  message: string
}

export type ScriptType = 'wpkh' | 'sh-wpkh' | 'pkh' | 'tr'
export type AccountState = 'examining' | 'ready' | 'near_limit' | 'full'

/** What an account's text may mean. */
export interface AccountCandidate {
  script_type: ScriptType
  fingerprint: string | null
  path: string | null
  /** Five, to compare with the wallet. */
  first_addresses: string[]
}

/** What is known of the addresses that were used before the account came here. */
export interface AccountUse {
  known: 'whole' | 'said' | 'reading' | 'part' | 'unknown'
  told_by: ('wallet_address' | 'export' | 'unspent' | 'blocks' | 'merchant')[]
  /** The lowest block that was read. */
  read_down_to: number | null
  /** The merchant should say it. */
  asks: boolean
}

/** One thing that is said of it. */
export interface Used {
  last_used_address?: string
  next_address?: string
  never_used?: true
}

/** An account of a wallet that is set. */
export interface Account extends AccountCandidate {
  id: string
  state: AccountState
  use: AccountUse
  next_index: number
  unpaid: number
  unpaid_max: number
  /** Of those, started by payers themselves, and how many of them may wait. */
  by_payers: number
  by_payers_max: number
  wallet_limit: number
  /** false: whoever set the account first says it. */
  /** Another merchant has it set, too. */
  /** null: as the operator's rails file says. */
  confirmations: Depth[] | null
}

/** How many blocks an order below an amount waits for; the last has no bound. */
export interface Depth {
  below_usd: number | null
  blocks: number
}

export interface ReceivingAddress {
  chain: string
  family: string
  /** In canonical form; of an account its id. */
  address: string
  account: Account | null
  label: string | null
  updated_at: string
  warnings: Warning[]
  /** When live orders follow the change; null: nothing waits. */
  effective_at: string | null
  /** Where they settle until then; null: nowhere. */
  until_then: string | null
  until_then_account: Account | null
  /** Orders that name no chain settle here. */
  is_default: boolean
  /** What waits is that the address is taken away. */
  is_removal: boolean
}

export interface Verdict {
  valid: boolean
  chain: string
  family: string
  /** In canonical form; null where it is not valid. */
  address: string | null
  /** A stable word for what is wrong. */
  reason: string | null
  /** Chains where the same text is a valid address. */
  looks_like: string[]
  warnings: Warning[]
  /** What was read, where the text is that of an account. */
  account: AccountCandidate | null
  /** What is missing for the text to be taken as an account. */
  asks: 'script_type' | 'wallet_address' | null
  candidates: AccountCandidate[]
  message: string | null
}

/** What is sent to be judged or set. */
export interface AddressText {
  chain: string
  address: string
  script_type?: ScriptType | null
  wallet_address?: string | null
}

export interface AddressChange {
  id: string
  chain: string
  /** null: the address was removed. */
  address: string | null
  account: AccountCandidate | null
  label: string | null
  changed_by: string
  changed_at: string
}

export const addressesQuery = queryOptions({
  queryKey: keys.addresses(),
  queryFn: ({ signal }) => boss.get<Page<ReceivingAddress>>('/addresses', {}, signal),
})

export const useAddresses = () => useQuery(addressesQuery)

/** The server's verdict on a text, asked for as it is typed; nothing is stored. */
export const useVerdict = (text: AddressText) =>
  useQuery({
    queryKey: ['verdict', text],
    queryFn: () => boss.post<Verdict>('/addresses/validate', text),
    enabled: text.address !== '',
    staleTime: 5 * 60_000,
    gcTime: 60_000,
  })

export const useAddressHistory = (cursor?: string) =>
  useQuery({
    queryKey: keys.addressHistory(cursor),
    queryFn: ({ signal }) => boss.get<Page<AddressChange>>('/addresses/history', { cursor, limit: 10 }, signal),
    placeholderData: keepPreviousData,
  })

function useAddressMutation<In, Out>(mutationFn: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await Promise.all(
        [keys.addresses(), keys.addressHistory(), keys.merchant()].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      )
    },
  })
}

export const useSetAddress = () =>
  useAddressMutation((wish: AddressText & { label: string | null; signature?: string }) =>
    boss.put<ReceivingAddress>('/addresses', wish),
  )

export const useWalletLimit = () =>
  useAddressMutation(({ chain, wallet_limit }: { chain: string; wallet_limit: number }) =>
    boss.put<ReceivingAddress>(`/addresses/${encodeURIComponent(chain)}/wallet-limit`, { wallet_limit }),
  )

export const useSayUsed = () =>
  useAddressMutation(({ chain, used }: { chain: string; used: Used }) =>
    boss.put<ReceivingAddress>(`/addresses/${encodeURIComponent(chain)}/used`, used),
  )

export const useDepths = () =>
  useAddressMutation(({ chain, confirmations }: { chain: string; confirmations: Depth[] | null }) =>
    boss.put<ReceivingAddress>(`/addresses/${encodeURIComponent(chain)}/confirmations`, { confirmations }),
  )

export const useCancelChange = () =>
  useAddressMutation((chain: string) => boss.delete(`/addresses/${encodeURIComponent(chain)}/waiting`))

export const useRemoveAddress = () =>
  useAddressMutation((chain: string) =>
    boss.delete<{ chain: string; effective_at: string | null }>(`/addresses/${encodeURIComponent(chain)}`),
  )

/** Whether another service may hold the money of orders that settle on a chain, for some minutes. */
export interface ThirdPartySwitch {
  chain: string
  livemode: boolean
  on: boolean
  /** A payout counts on that service's word alone where nobody else can be asked. */
  takes_unproven: boolean
  /** A change that counts from `effective_at` on; null: none waits. */
  waiting: { on: boolean; takes_unproven: boolean; effective_at: string } | null
  updated_at: string | null
}

/** One for each chain that such a service reaches here. */
export const useThirdParty = (live: boolean) =>
  useQuery({
    queryKey: keys.thirdParty(live),
    queryFn: ({ signal }) => boss.get<Page<ThirdPartySwitch>>('/third-party', { livemode: live }, signal),
  })

export function useSetThirdParty(live: boolean) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: Pick<ThirdPartySwitch, 'chain' | 'on'> & { takes_unproven?: boolean }) =>
      boss.put<ThirdPartySwitch>('/third-party', { ...wish, livemode: live }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.thirdParty(live) }),
  })
}
