// Where the service is reached, and whose word it takes for who asks. What is wrong is added to `faults`.
import { isIP } from 'node:net'
import { isEverybody } from '../wide-ranges.ts'

/** Without a trailing slash. */
export function readBaseUrl(text: string, faults: string[]): string {
  const url = URL.canParse(text) ? new URL(text) : null
  // No origin has this sign. What stands before it may be a password, so nothing is echoed.
  if (text.includes('@')) {
    faults.push('BASE_URL has a user or a password in it. It takes the address that payers see, without both.')
    return 'http://localhost:3000'
  }
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    faults.push(
      `BASE_URL is "${text}"; it takes an http or https address without a path, such as https://pay.shop.example.`,
    )
    return 'http://localhost:3000'
  }
  return url.origin
}

/** CIDR ranges, or single addresses. */
export function readTrustProxy(
  { ranges, isLoopbackInstall }: { ranges: readonly string[]; isLoopbackInstall: boolean },
  faults: string[],
): readonly string[] {
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address)
    const bitsFine = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
    if (family === 0 || !bitsFine) faults.push(`TRUST_PROXY has "${range}"; it takes addresses or CIDR ranges.`)
    else if (!isLoopbackInstall && isEverybody(range)) {
      faults.push(
        `TRUST_PROXY has "${range}", which takes strangers for proxies: each names the address that limits count. ` +
          'Name the addresses of your proxies.',
      )
    }
  }
  return ranges
}
