// `florin third-party`: on which chains orders may pass through somebody else, as the console switches it.
import { type Command, serviceFlags } from './command.ts'
import { openClient, readSettings } from './settings.ts'
import { columns } from './terminal.ts'

export const thirdPartyCommand: Command = {
  name: 'third-party',
  takes: [],
  about: 'On which chains orders may pass through a third party',
  notes: [
    'A rail such as NEAR Intents has the money for some minutes on its way to you. In live mode it is off until you switch it on in',
    'the console, chain by chain; a key cannot. "unproven" means: its word that it paid you is enough where nobody else can be asked.',
  ],
  flags: serviceFlags,
  examples: ['florin third-party', 'florin third-party --json'],
  async run(call) {
    const { terminal } = call
    const page = await openClient(readSettings(call)).chains.thirdParty().page()
    if (call.json) terminal.out(JSON.stringify(page, null, 2))
    else {
      const rows = page.data.map((one) => [
        one.chain,
        one.on ? 'on' : 'off',
        one.on && one.takes_unproven ? 'unproven is enough' : '',
        one.waiting === null ? '' : `${one.waiting.on ? 'on' : 'off'} from ${one.waiting.effective_at}`,
        one.updated_at === null ? 'as it is by default' : `since ${one.updated_at}`,
      ])
      for (const line of columns(rows)) terminal.out(line)
      if (page.data.length === 0) terminal.note('No rail of a third party runs here.')
    }
    return 0
  },
}
