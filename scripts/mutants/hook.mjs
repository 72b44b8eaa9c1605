// Loaded before a program (`--import`): one source file is another one, with a planted bug in it.
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { file, changed } = JSON.parse(process.env.FLORIN_PLANTED ?? '{}')
const url = pathToFileURL(join(import.meta.dirname, '../..', file)).href

registerHooks({
  load: (wanted, context, next) => {
    const loaded = next(wanted, context)
    return wanted === url ? { ...loaded, source: changed } : loaded
  },
})
