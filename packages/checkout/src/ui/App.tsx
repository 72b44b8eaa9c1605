// The page as a whole: the state it shows, its language, and its voice for screen readers.

import {
  custodyPhrase,
  EXIT_PAGE,
  type Language,
  localeOf,
  proofFile,
  sayIn,
  screenOf,
  type Words,
} from '@florin/checkout-core'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Api } from '../api.ts'
import { wishedLanguages } from '../browser.ts'
import { serverNow } from '../clock.ts'
import type { Live } from '../live.ts'
import type { Known, Store } from '../store.ts'
import { loadWords } from '../words.ts'
import { Card } from './Card.tsx'
import { type Shared, SharedProvider, useShared } from './context.ts'
import { LanguageMenu } from './LanguageMenu.tsx'
import { Summary } from './Summary.tsx'
import { Support } from './Support.tsx'
import { TestPanel } from './TestPanel.tsx'

interface AppProps {
  store: Store
  api: Api
  live: Live
  firstLanguage: Language
  firstWords: Words
}

/** A payment settled within this long before the page opened was still being watched: by the page before a reload. */
const FRESH_MS = 60_000

export function App({ store, api, live, firstLanguage, firstWords }: AppProps) {
  const known = useSyncExternalStore(store.subscribe, store.get)
  const [language, setLanguage] = useState({ code: firstLanguage, words: firstWords })
  const [voice, setVoice] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const [acted, setActed] = useState(0)
  const { checkout, told, link } = known

  const nowMs = useTurns(known, live)
  const screen = useMemo(() => screenOf(checkout, nowMs), [checkout, nowMs])
  const isFresh = useFreshness(checkout.settled_at, checkout.server_time)

  const locale = localeOf(language.code, wishedLanguages())
  const say = useMemo(() => sayIn(language.words, undefined, locale), [language.words, locale])
  const accept = useCallback<Shared['accept']>((answer) => store.accept(answer, performance.now()), [store])
  const shared = useMemo((): Shared => ({ api, locale, say, announce: setVoice, accept }), [api, locale, say, accept])

  async function speak(code: Language): Promise<void> {
    // Without a network the page stays in the language it has.
    const words = await loadWords(code).catch(() => null)
    if (words !== null) setLanguage({ code, words })
  }

  const headline = say(screen.headline)
  useEffect(() => {
    document.documentElement.lang = language.code
    document.title = `${headline} · ${checkout.merchant.name ?? say('shop')}`
  }, [language.code, headline, checkout.merchant.name, say])

  // What changes by itself is said aloud; what the payer did moves the focus instead, and the heading is read there.
  const step = screen.steps.find(({ state }) => state === 'now')
  const stepText = step?.confirmations ? say('confirmations', counted(step.confirmations)) : ''
  const news = `${headline}. ${stepText}`
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else setVoice(news)
  }, [news])
  useEffect(() => {
    if (acted > 0) heading.current?.focus()
  }, [acted])

  const isOpen = screen.panel === 'choose' || screen.panel === 'pay' || screen.panel === 'requote'
  return (
    <SharedProvider value={shared}>
      <div
        className="page"
        data-status={checkout.status}
        data-detail={checkout.status_detail}
        data-panel={screen.panel}
      >
        <Summary checkout={checkout} canCancel={isOpen} />
        <div className="middle">
          {link === 'lost' ? (
            <p className="lost" role="status">
              <span className="spinner" aria-hidden="true" />
              {say(navigator.onLine ? 'reconnecting' : 'offline')}
            </p>
          ) : null}
          <main className="card">
            <Card
              known={{ checkout, told, link }}
              screen={screen}
              heading={heading}
              isFresh={isFresh}
              onActed={() => setActed(acted + 1)}
            />
          </main>
          <TestPanel actions={checkout.simulate} />
        </div>
        <footer className="foot">
          <p>{say(custodyPhrase(checkout))}</p>
          <p>
            {say('order')} <span className="code">{checkout.order_no}</span>
          </p>
          <Support merchant={checkout.merchant} />
          <ProofLinks checkout={checkout} />
          <LanguageMenu language={language.code} onChoose={speak} />
        </footer>
        <p className="offscreen" role="status" aria-live="polite">
          {voice}
        </p>
      </div>
    </SharedProvider>
  )
}

/** What a payer keeps who wants to depend on nobody. */
function ProofLinks({ checkout }: { checkout: Known['checkout'] }) {
  const { say } = useShared()
  const file = proofFile(checkout)
  if (file === null) return null
  return (
    <p>
      {say('proof_note')}{' '}
      <a href={file.href} download={file.name}>
        {say('proof_save')}
      </a>
      {' · '}
      <a href={EXIT_PAGE} download="florin-exit.html">
        {say('proof_page')}
      </a>
    </p>
  )
}

const counted = ({ n, of }: { n: number; of: number }) => ({ n: String(n), of: String(of) })

/** The server's time as of the last moment that mattered: an answer of its, or a quote or the deadline that lapsed since. */
function useTurns({ checkout, told }: Known, live: Live): number {
  const [turnMs, setTurnMs] = useState(0)
  const nowMs = Math.max(told.serverMs, turnMs)
  const ends = [checkout.expires_at, checkout.pay?.rate_expires_at ?? checkout.expires_at].map((iso) => Date.parse(iso))
  const nextMs = Math.min(...ends.filter((ms) => ms > nowMs))
  const isWaiting = checkout.status === 'pending' && Number.isFinite(nextMs)
  useEffect(() => {
    if (!isWaiting) return
    const turn = (): void => {
      setTurnMs(nextMs)
      // The server's own word on it follows within moments.
      live.refresh()
    }
    const timer = setTimeout(turn, nextMs - serverNow(told, performance.now()))
    return () => clearTimeout(timer)
  }, [isWaiting, nextMs, told, live])
  return nowMs
}

/** Whether the order was settled while somebody watched: only then does the page lead back to the shop by itself. */
function useFreshness(settledAt: string | null, serverTime: string): boolean {
  const [wasSettled] = useState(() => settledAt !== null && Date.parse(serverTime) - Date.parse(settledAt) > FRESH_MS)
  return settledAt !== null && !wasSettled
}
