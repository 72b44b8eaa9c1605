// What is wider than its window or its table's frame, at every width that counts, light and dark.
import type { Page } from 'playwright-core'

/** What sticks out, by its own words; empty where all fits. */
const stickingOut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const said = (node: Element): string =>
      `<${node.tagName.toLowerCase()} class="${node.className}"> ${node.textContent?.slice(0, 40)}`
    const root = document.documentElement
    const found = root.scrollWidth > innerWidth ? [`the page is ${root.scrollWidth} px wide`] : []
    for (const table of document.querySelectorAll('table')) {
      const frame = table.parentElement
      if (frame !== null && table.scrollWidth > frame.clientWidth + 1)
        found.push(`wider than its frame: ${said(table)}`)
    }
    for (const node of document.querySelectorAll('main *')) {
      const { right, width, height } = node.getBoundingClientRect()
      // What is there for screen readers alone has no room.
      const head = node.closest('thead')
      if (head !== null && head.clientWidth <= 1) continue
      if (width > 1 && height > 1 && right > innerWidth + 1) found.push(`sticks out: ${said(node)}`)
    }
    return found.slice(0, 5)
  })

/** @returns one line for each fault */
export async function sticksOut(name: string, page: Page): Promise<string[]> {
  const found: string[] = []
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      found.push(...(await stickingOut(page)).map((what) => `${name} at ${width}, ${colorScheme}: ${what}`))
    }
  }
  return found
}
