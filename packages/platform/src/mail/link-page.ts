// The page behind a link in a mail: text and at most one button. It needs no script and fits a phone.

/** Below the result: what the owner may have to look at next, each with its own link. */
export interface Further {
  title: string
  text: string
  items: readonly { text: string; link: string; label: string }[]
}

interface LinkPage {
  /** Default: `en`. */
  language?: string
  title: string
  lines: readonly string[]
  /** null: there is nothing to do. */
  button: string | null
  further?: Further | null
  /** Beside the button, in the page's language. */
  hint?: string
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

const style = `
:root { color-scheme: light dark; --text: #1a1d21; --dim: #575f69; --back: #f4f5f7; --card: #fff; --line: #d8dce1; --act: #1f5fc4 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e9ebee; --dim: #a3abb5; --back: #14161a; --card: #1d2025; --line: #363b43; --act: #2f6fd6 }
}
* { box-sizing: border-box }
body { margin: 0; padding: 16px; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 8vh auto 0; padding: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
h1 { margin: 0 0 12px; font-size: 1.35rem; line-height: 1.3 }
p { margin: 0 0 12px; overflow-wrap: anywhere }
button { width: 100%; min-height: 48px; margin-top: 8px; padding: 10px 16px; font: inherit; font-weight: 600; color: #fff; background: var(--act); border: 0; border-radius: 8px; cursor: pointer }
button:focus-visible { outline: 3px solid var(--text); outline-offset: 2px }
h2 { margin: 24px 0 8px; font-size: 1.1rem }
ul { margin: 0; padding: 0; list-style: none }
li { padding: 12px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere }
a { display: inline-block; min-height: 24px; padding: 4px 0; color: inherit; font-weight: 600 }
small { display: block; margin-top: 16px; color: var(--dim) }
`

/** Nothing loads and nothing runs; the only style sheet carries the nonce. */
export const linkPagePolicy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`

const furtherPart = ({ title, text, items }: Further): string => `<h2>${escaped(title)}</h2>
<p>${escaped(text)}</p>
<ul>
${items.map((item) => `<li>${escaped(item.text)}<br><a href="${escaped(item.link)}">${escaped(item.label)}</a></li>`).join('\n')}
</ul>`

const HINT = 'Nothing has happened yet: only the button does it.'

export function linkPage(page: LinkPage, nonce: string): string {
  const { title, lines, button, further = null, language = 'en' } = page
  const form = button === null ? '' : `<form method="post"><button type="submit">${escaped(button)}</button></form>`
  const hint = button === null ? '' : `<small>${escaped(page.hint ?? HINT)}</small>`
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')}
${form}
${hint}
${further === null ? '' : furtherPart(further)}
</main>
</body>
</html>
`
}
