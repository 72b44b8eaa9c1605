// Names of operations, from what a route is: `GET /v1/orders/{order_no}` is getOrder, `POST …/cancel` cancelOrder. A name is part of
// the contract, since generated clients call it: where the rule would give a bad one, `operations.ts` says a better one. Pure.

const verbs: Readonly<Record<string, string>> = { post: 'create', patch: 'update', put: 'set', delete: 'delete' }

/** @example operationId('get', '/v1/orders/{order_no}/events') // 'listOrderEvents' */
export function operationId(method: string, path: string): string {
  const [face = '', ...steps] = stepsOf(path)
  const nouns: string[] = []
  let isOne = false
  for (const step of steps.map((step) => (step === 'appkeys' ? 'api-keys' : step))) {
    isOne = step.startsWith('{')
    if (isOne) nouns.push(singular(nouns.pop() ?? ''))
    else nouns.push(step)
  }
  const last = nouns.at(-1) ?? ''
  const isList = method === 'get' && !isOne && last.endsWith('s') && last !== 'status'
  // A step behind one thing that is no list is what is done to it.
  const isAct = method === 'post' && !isOne && steps.length > 1 && (steps.at(-2)?.startsWith('{') ?? false)
  const verb =
    isAct && !last.endsWith('s') ? '' : isList ? 'list' : method === 'get' ? 'get' : (verbs[method] ?? method)
  const named =
    verb === '' ? [last, ...nouns.slice(0, -1)] : [verb, ...nouns.slice(0, -1), isList ? last : singular(last)]
  return camel([...(face === '' ? [] : [face]), ...named])
}

/** What stands before the nouns: nothing for /v1, `console` for the console. */
function stepsOf(path: string): string[] {
  const steps = path.split('/').slice(1)
  if (steps[0] === 'v1') return ['', ...steps.slice(1)]
  if (steps[0] === 'api') return ['console', ...steps.slice(steps[2] === 'boss' ? 3 : 2)]
  return ['', ...steps]
}

function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`
  if (noun.endsWith('sses')) return noun.slice(0, -2)
  return /[^s]s$/.test(noun) && noun !== 'mails' ? noun.slice(0, -1) : noun
}

const camel = (words: readonly string[]): string =>
  words
    .flatMap((word) => word.split(/[-_.]/))
    .map((word, n) => (n === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')

/** @example titled('createOrder') // 'CreateOrder' */
export const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
