// How a token on an EVM chain tells of a transfer in a log, and how addresses stand in logs and calls. Pure.

/** keccak256("Transfer(address,address,uint256)") */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Of 32 bytes, without `0x`. */
export const wordOf = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0')

/** An address as a topic of a log. */
export const topicOf = (address: string): `0x${string}` => `0x${wordOf(address)}`
