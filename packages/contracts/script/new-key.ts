// `npm run -s new-key -w @florin/contracts -- FILE`: makes a key, writes it into a file that only its owner reads, and
// prints its address. The key itself is never shown.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Say which file: npm run -s new-key -w @florin/contracts -- "$PWD/relayer.key"')
  process.exit(1)
}
const key = generatePrivateKey()
try {
  writeFileSync(resolve(file), `${key}\n`, { mode: 0o600, flag: 'wx' })
  console.log(privateKeyToAddress(key))
} catch (error) {
  const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
  console.error(isThere ? `${file} is there already; nothing was changed.` : String(error))
  process.exitCode = 1
}
