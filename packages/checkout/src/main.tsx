// The start of the page: what the server put into it becomes the first state, and React takes the plain page over.
import type { Checkout } from '@florin/protocol'
import { createRoot } from 'react-dom/client'
import { checkoutPath, makeApi } from './api.ts'
import { wishedLanguages } from './browser.ts'
import { watchCheckout } from './live.ts'
import { makeStore } from './store.ts'
import './styles/base.css'
import './styles/controls.css'
import './styles/pay.css'
import './styles/wallet.css'
import './styles/chooser.css'
import './styles/outcome.css'
import './styles/selling.css'
import './styles/print.css'
import { chooseLanguage } from '@florin/checkout-core'
import { Rescue } from './Rescue.tsx'
import { App } from './ui/App.tsx'
import { savedLanguage } from './ui/LanguageMenu.tsx'
import { loadWords } from './words.ts'

async function start(root: Element, first: Checkout): Promise<void> {
  const language = savedLanguage() ?? chooseLanguage([document.documentElement.lang, ...wishedLanguages()])
  const words = await loadWords(language)
  // The answer's time was true when its first byte left, not when this script at last ran.
  const toldAt = answeredAt() ?? performance.now()
  const store = makeStore(first, toldAt)
  const api = makeApi(checkoutPath(location.pathname))
  const live = watchCheckout(api.ports, {
    checkout: (checkout) => store.accept(checkout, performance.now()),
    link: store.setLink,
  })
  let held = first.browser === 'holder'
  store.subscribe(() => {
    const holds = store.get().checkout.browser === 'holder'
    if (holds && !held) live.reopen()
    held = holds
  })
  window.addEventListener('online', live.refresh)
  window.addEventListener('offline', live.wentOffline)
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) live.refresh()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') live.refresh()
  })
  // React empties the root at its first commit; until then, and where this function throws, the server's page stays.
  const page = [...root.childNodes]
  createRoot(root).render(
    <Rescue page={page} store={store}>
      <App api={api} live={live} store={store} firstLanguage={language} firstWords={words} />
    </Rescue>,
  )
}

/** When the first byte of the page's answer arrived; null where the browser does not measure it. */
function answeredAt(): number | null {
  try {
    const [navigation] = performance.getEntriesByType('navigation')
    return navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : null
  } catch {
    return null
  }
}

const root = document.getElementById('root')
const data = document.getElementById('checkout-data')?.textContent
if (root && data) await start(root, JSON.parse(data) as Checkout)
