// The calls of the brand: what payers see of the shop.
import type { BrandColors } from '@florin/protocol'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { boss } from '../api.ts'
import { keys } from '../query-keys.ts'

export interface Brand {
  name: string | null
  /** As it was chosen; buttons carry `colors`. */
  accent: string | null
  colors: BrandColors | null
  logo: { url: string; width: number; height: number } | null
  card_url: string
  support_email: string | null
  support_url: string | null
}

export type BrandChange = Partial<Pick<Brand, 'accent' | 'support_email' | 'support_url'>>

export const brandQuery = queryOptions({
  queryKey: keys.brand(),
  queryFn: ({ signal }) => boss.get<Brand>('/brand', {}, signal),
})

function useBrandMutation<In>(mutationFn: (input: In) => Promise<Brand>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSuccess: (brand) => client.setQueryData(keys.brand(), brand) })
}

export const useChangeBrand = () => useBrandMutation((change: BrandChange) => boss.patch<Brand>('/brand', change))
export const useSetLogo = () => useBrandMutation((file: Blob) => boss.upload<Brand>('/brand/logo', file))
export const useRemoveLogo = () => useBrandMutation(() => boss.delete<Brand>('/brand/logo'))
