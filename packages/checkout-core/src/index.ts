// The languages themselves stand apart, at `@florin/checkout-core/words/en`, so that a page can load one of them.
export { askedText, coinText, fxText, pointed, rateText } from './amount.ts'
export { EXIT_PAGE, explorerUrl, proofFile, walletUrl, webUrl } from './links.ts'
export { type MoneyLine, paymentLines, refundLines, type Step } from './money.ts'
export { drawQr, QUIET } from './qr.ts'
export { mayHaveSent, type Screen, screenOf, type Tone } from './screen.ts'
export { searchChoices } from './search.ts'
export { custodyPhrase, payerPasses, refundCost, thirdPartyOf, wayPhrases } from './way.ts'
export {
  chooseLanguage,
  isLanguage,
  type Language,
  languages,
  localeOf,
  type Phrase,
  phrase,
  type Say,
  sayIn,
  type Words,
} from './words/index.ts'
