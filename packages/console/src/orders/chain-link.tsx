// Links to block explorers. Test money is on no public chain, so test orders have none.
import type { Order } from '@florin/protocol'
import { useChains } from '../chains.ts'
import { Mono } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import classes from './orders.module.css'

type Of = Pick<Order, 'livemode'>

export function TxLink({ order, chain, tx }: { order: Of; chain: string; tx: string }) {
  const url = useChains().txUrl(chain, tx)
  return (
    <span className={classes.chainLink}>
      <Mono value={tx} what="transaction" ends={[8, 6]} />
      {order.livemode && url !== null ? <Explorer url={url} what="transaction" /> : null}
    </span>
  )
}

interface AddressLinkProps {
  order: Of
  chain: string
  address: string
  isWhole?: boolean
}

export function AddressLink({ order, chain, address, isWhole }: AddressLinkProps) {
  const url = useChains().addressUrl(chain, address)
  return (
    <span className={classes.chainLink}>
      <Mono value={address} what="address" {...(isWhole === true ? {} : { ends: [8, 6] as const })} />
      {order.livemode && url !== null ? <Explorer url={url} what="address" /> : null}
    </span>
  )
}

function Explorer({ url, what }: { url: string; what: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" aria-label={`See the ${what} in a block explorer`}>
      <Icon name="external" size={14} />
    </a>
  )
}
