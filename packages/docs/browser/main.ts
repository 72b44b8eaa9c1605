// What the pages can do beyond showing themselves: search, tabs, copying, the mark of where one is. Without it all text
// is there, the languages one below the other.
import { type Corpus, type Hit, makeSearch } from './find.ts'

const all = <E extends Element = HTMLElement>(selector: string, within: ParentNode = document): E[] => [
  ...within.querySelectorAll<E>(selector),
]
const element = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  text = '',
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  if (text !== '') made.textContent = text
  return made
}

tabs()
copying()
search()
whereabouts()

/** One choice of language for all examples, kept for the next page. */
function tabs(): void {
  const key = 'florin-docs-language'
  const lists: { choose(name: string): void }[] = []
  const choose = (name: string): void => {
    for (const list of lists) list.choose(name)
    try {
      localStorage.setItem(key, name)
    } catch {
      // A browser that keeps nothing shows the first language again.
    }
  }
  for (const [n, group] of all('.tabs').entries()) {
    const panels = all('.tab', group)
    const names = panels.map((panel) => panel.dataset.tab ?? '')
    const bar = element('div', { role: 'tablist', 'aria-label': 'Language' })
    const buttons = panels.map((panel, at) => {
      const id = `tab-${n}-${at}`
      const button = element('button', { type: 'button', role: 'tab', id, 'aria-controls': `${id}-panel` }, names[at])
      panel.id = `${id}-panel`
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', id)
      panel.removeAttribute('aria-label')
      button.addEventListener('click', () => keepInView(button, () => choose(names[at] ?? '')))
      return button
    })
    bar.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (step === undefined) return
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
      const next = buttons[(at + step + buttons.length) % buttons.length]
      next?.focus()
      next?.click()
      event.preventDefault()
    })
    bar.append(...buttons)
    group.prepend(bar)
    const show = (name: string): void => {
      const chosen = names.includes(name) ? name : names[0]
      for (const [at, panel] of panels.entries()) {
        panel.toggleAttribute('data-shown', names[at] === chosen)
        buttons[at]?.setAttribute('aria-selected', String(names[at] === chosen))
        buttons[at]?.setAttribute('tabindex', names[at] === chosen ? '0' : '-1')
      }
    }
    lists.push({ choose: show })
    group.setAttribute('data-live', '')
  }
  let kept: string | null = null
  try {
    kept = localStorage.getItem(key)
  } catch {
    // As above.
  }
  for (const list of lists) list.choose(kept ?? '')
}

/** Examples above grow or shrink with the choice; what was clicked stays where it is. */
function keepInView(button: HTMLElement, act: () => void): void {
  const before = button.getBoundingClientRect().top
  act()
  scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' })
}

function copying(): void {
  for (const block of all('.code')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
    button.addEventListener('click', async () => {
      const text = block.querySelector('code')?.textContent ?? ''
      try {
        await navigator.clipboard.writeText(text)
        button.textContent = 'Copied'
      } catch {
        // Without the right to the clipboard the text is marked, so that the keys copy it.
        const code = block.querySelector('code')
        if (code !== null) getSelection()?.selectAllChildren(code)
        button.textContent = 'Press Ctrl+C'
      }
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2000)
    })
    block.append(button)
  }
}

function search(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#find')
  const input = dialog?.querySelector('input')
  const list = dialog?.querySelector('.hits')
  const says = dialog?.querySelector('.find-says')
  if (!dialog || !input || !list || !says) return
  let ask: Promise<(query: string) => Hit[]> | null = null
  const load = async (): Promise<(query: string) => Hit[]> => {
    const answer = await fetch(dialog.dataset.index ?? '')
    if (!answer.ok) throw new Error(`${answer.status}`)
    return makeSearch((await answer.json()) as Corpus)
  }
  const open = (): void => {
    if (!dialog.open) dialog.showModal()
    input.select()
    ask ??= load().catch((error: unknown) => {
      ask = null
      throw error
    })
    ask.catch(() => {
      says.textContent = 'The search could not be loaded. Try again in a moment.'
    })
  }
  const show = async (): Promise<void> => {
    const query = input.value
    const hits = (await ask)?.(query) ?? []
    // What was typed meanwhile is asked on its own.
    if (query !== input.value) return
    list.replaceChildren(
      ...hits.map(({ url, title, page, text }) => {
        const link = element('a', { href: url })
        link.append(element('b', {}, title), element('span', { class: 'soft' }, page), element('p', {}, text))
        link.addEventListener('click', () => dialog.close())
        const item = element('li')
        item.append(link)
        return item
      }),
    )
    says.textContent = query.trim() === '' ? '' : hits.length === 0 ? 'Nothing found.' : `${hits.length} found`
  }
  input.addEventListener('input', () => void show().catch(() => undefined))
  dialog.addEventListener('keydown', (event) => {
    const links = all<HTMLAnchorElement>('a', list)
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    if (event.key === 'Enter' && document.activeElement === input) links[0]?.click()
    else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
    else if (event.key === 'ArrowUp') (at <= 0 ? input : links[at - 1])?.focus()
    else return
    event.preventDefault()
  })
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.querySelector('[data-close]')?.addEventListener('click', () => dialog.close())
  for (const button of all('[data-find]')) {
    button.hidden = false
    button.addEventListener('click', open)
  }
  document.addEventListener('keydown', (event) => {
    const isTyping = document.activeElement?.matches('input, textarea, select') === true
    const isAsked = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!isAsked) return
    event.preventDefault()
    open()
  })
}

/** Marks the section that is read in the list of this page, and shows the page's own entry of the navigation. */
function whereabouts(): void {
  const links = new Map(all<HTMLAnchorElement>('.here a').map((link) => [link.hash.slice(1), link]))
  const heads = [...links.keys()].flatMap((id) => document.getElementById(decodeURIComponent(id)) ?? [])
  if (heads.length > 0) {
    const mark = (): void => {
      const passed = heads.filter((head) => head.getBoundingClientRect().top < 120)
      const here = passed.at(-1) ?? heads[0]
      for (const [id, link] of links) link.toggleAttribute('data-here', decodeURIComponent(id) === here?.id)
    }
    let isAsked = false
    addEventListener(
      'scroll',
      () => {
        if (isAsked) return
        isAsked = true
        requestAnimationFrame(() => {
          isAsked = false
          mark()
        })
      },
      { passive: true },
    )
    mark()
  }
  const nav = document.querySelector<HTMLElement>('#nav')
  const here = nav?.querySelector<HTMLElement>('[aria-current]')
  if (nav && here && here.offsetTop > nav.clientHeight - 80) nav.scrollTop = here.offsetTop - nav.clientHeight / 2
}
