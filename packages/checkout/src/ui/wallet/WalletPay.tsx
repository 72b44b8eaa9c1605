// Whether a wallet of this browser is offered: where one can be told exactly what to send, on a chain with a number
// and with money that is not the sandbox's. The code for it comes after the page: without it there is still all to pay by.
import { lazy, Suspense } from 'react'
import type { WalletPayProps } from './WalletButton.tsx'

const nothing = { default: () => null }
const WalletButton = lazy(() => import('./WalletButton.tsx').catch(() => nothing))

export function WalletPay(props: Omit<WalletPayProps, 'chainId'>) {
  const chainId = props.chain?.evm_chain_id ?? null
  if (chainId === null || props.pay.uri?.startsWith('ethereum:') !== true) return null
  return (
    <Suspense>
      {/* Another leg or another amount is another payment: nothing that was begun for the old one goes on. */}
      <WalletButton key={`${props.pay.id} ${props.amount}`} {...props} chainId={chainId} />
    </Suspense>
  )
}
