// The words about addresses: families, and why a text is refused. Pure.

/** Why an address is refused, completed by the chain's name. */
export function refusalText(reason: string | null, chainName: string): string {
  switch (reason) {
    case 'address_required':
      return 'Give an address.'
    case 'bad_charset':
      return `It has a character that no ${chainName} address has.`
    case 'bad_length':
      return `It is too long or too short for a ${chainName} address. Was it copied whole?`
    case 'bad_checksum':
      return 'Its checksum does not fit: a character is wrong or missing. Copy it from your wallet again.'
    case 'wrong_network':
      return `It belongs to another network than ${chainName}, such as a test network.`
    case 'wrong_kind':
      return `It is another kind of thing than a ${chainName} address that can be paid to.`
    case 'secret_key':
      return 'It looks like a private key or a secret phrase. Never paste one anywhere; if it has been shown to others, move the money.'
    case 'name_not_address':
      return 'It is a name. Give the address that it stands for.'
    case 'not_payable':
      return 'Nothing that is sent there could be spent again.'
    case 'unsupported_form':
      return 'It is a form that cannot be paid to from here. Give the plain address.'
    default:
      return `It is not a valid ${chainName} address.`
  }
}

const families: Readonly<Record<string, string>> = {
  evm: 'EVM',
  'evm-ronin': 'EVM',
  'evm-xdc': 'EVM',
  solana: 'Solana',
  utxo: 'UTXO',
  near: 'NEAR',
  move: 'Move',
  sui: 'Sui',
  ton: 'TON',
  tron: 'Tron',
  stellar: 'Stellar',
  xrpl: 'XRP Ledger',
  cardano: 'Cardano',
  starknet: 'Starknet',
  aleo: 'Aleo',
  cosmos: 'Cosmos',
  substrate: 'Substrate',
}

/** What people call a family of chains; a family of one chain has no name of its own. */
export const familyName = (family: string): string => families[family] ?? 'Other'

/** In groups of four, as it is easiest to compare with a wallet. */
export const inGroups = (address: string): { at: number; text: string }[] =>
  Array.from(address.matchAll(/.{1,4}/g), (match) => ({ at: match.index, text: match[0] }))

/** What of a chain can be searched for. */
export interface Named {
  id: string
  name: string
  aliases: readonly string[]
  assets: readonly { asset: string }[]
}

/** Whether a chain goes by these letters: in its id, name, another name, or one of its coins. */
export function matchesChain(chain: Named, query: string): boolean {
  const wanted = query.trim().toLowerCase()
  const names = [chain.id, chain.name, ...chain.aliases, ...chain.assets.map((asset) => asset.asset)]
  return wanted === '' || names.some((name) => name.toLowerCase().includes(wanted))
}
