// A shop that is full: thousands of orders, dozens of addresses, long words and Arabic text, for what has to fit.
import { chains } from '@florin/chains'
import { makeOrder, paths } from './orders.ts'
import { settled, type World } from './state.ts'

export const LONG_WORD =
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsmitgliedsausweise'
export const ARABIC = 'طلب كبير من القهوة المحمصة الطازجة مع شحن سريع إلى جميع أنحاء المدينة خلال يومين'

const HOUR = 3_600_000

export function crowd(world: World, origin: string, now: number): void {
  const { random } = world
  world.merchant.name = `${ARABIC} ${LONG_WORD}`.slice(0, 100)
  for (let n = world.orders.length; n < 3_000; n++) {
    const [status, detail, steps] = random.pick(paths)
    const order = makeOrder(random, { at: now - n * HOUR, now, livemode: false, origin, status, detail, steps })
    world.orders.push(order)
  }
  world.orders.forEach((order, n) => {
    if (n % 3 === 0) order.title = LONG_WORD
    if (n % 3 === 1) order.title = ARABIC
    if (n % 4 === 0) order.external_id = LONG_WORD.toLowerCase().replaceAll('ä', 'a')
  })
  const set = new Set(world.addresses.map((row) => row.chain))
  for (const chain of chains.filter(({ id }) => !set.has(id)).slice(0, 40 - set.size)) {
    const label = world.addresses.length % 2 === 0 ? LONG_WORD : ARABIC
    const row = { chain: chain.id, family: chain.family, label, warnings: [], ...settled }
    world.addresses.push({
      ...row,
      address: `0x${random.text(64)}`,
      updated_at: new Date(now).toISOString(),
      account: null,
    })
  }
  const [first] = world.attention
  if (first !== undefined)
    for (let n = world.attention.length; n < 150; n++)
      world.attention.push({ ...first, id: `att_${random.text(26)}`, summary: n % 2 === 0 ? LONG_WORD : ARABIC })
}
