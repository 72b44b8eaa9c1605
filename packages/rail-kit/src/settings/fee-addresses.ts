// Where the operator's fee goes on each chain, as the setting FEE_ADDRESSES names it. What is wrong is added to `faults`.

export function readFeeAddresses(value: string | null, faults: string[]): Readonly<Record<string, string>> {
  const entries: [string, string][] = []
  for (const pair of (value ?? '').split(',').filter((entry) => entry.trim() !== '')) {
    const [chain, address, rest] = pair.split('=').map((part) => part.trim())
    if (!chain || !address || rest !== undefined) {
      faults.push(`FEE_ADDRESSES has "${pair}"; it takes chain=address pairs, such as eth=0x…,base=0x….`)
    } else {
      entries.push([chain, address])
    }
  }
  return Object.fromEntries(entries)
}
