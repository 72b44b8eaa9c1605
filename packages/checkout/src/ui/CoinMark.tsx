// The disc that stands for a coin: the coin's own colour where it is widely known, else one made from its name.
// Logos are others' marks and would have to be fetched; letters never lie about which coin it is.
const known: Readonly<Record<string, string>> = {
  ADA: '#0033ad',
  AVAX: '#d83a3b',
  BCH: '#08805a',
  BNB: '#8f6b00',
  BTC: '#c06a00',
  DAI: '#946500',
  DOGE: '#8a6f17',
  ETH: '#4c5fc4',
  LTC: '#345d9d',
  POL: '#6f3fd1',
  SOL: '#6a3fd0',
  TON: '#00749e',
  TRX: '#c8202a',
  USDC: '#1f63b5',
  USDT: '#187a5c',
  XLM: '#3a3a44',
  XRP: '#2b3a4a',
}

const made = ['#5a5a86', '#7a5068', '#4d6b57', '#6b5d45', '#46688a', '#7d5347', '#57647a', '#6a4f83']

function colourOf(asset: string): string {
  let sum = 0
  for (const letter of asset) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return known[asset.toUpperCase()] ?? made[sum % made.length] ?? '#57647a'
}

export function CoinMark({ asset }: { asset: string }) {
  const letters = asset.replace(/[^\p{L}\p{N}]/gu, '').slice(0, asset.length > 4 ? 3 : 4)
  return (
    <svg className="coin" viewBox="0 0 40 40" width="40" height="40" aria-hidden="true" focusable="false">
      <circle cx="20" cy="20" r="20" fill={colourOf(asset)} />
      <text
        x="20"
        y="20"
        dy=".35em"
        textAnchor="middle"
        fill="#fff"
        fontSize={letters.length > 3 ? 11 : 13}
        fontWeight="650"
      >
        {letters}
      </text>
    </svg>
  )
}
