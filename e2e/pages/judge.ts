// What is asked of every page as it stands: axe's verdict by WCAG 2.2 AA, and that nothing is wider than the window.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** @returns one line for each fault */
export async function judge(page: Page): Promise<string[]> {
  // Animations, also those that a change just now begins with the next frame, would be judged half faded.
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
    await frame()
    await frame()
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((each) => each.finished),
    )
  })
  await page.evaluate(axe.source)
  const found = await page.evaluate(async (runOnly) => {
    const { axe: judge } = window as unknown as { axe: typeof import('axe-core') }
    // A menu hangs outside of the landmarks while it is open.
    const { violations } = await judge.run({
      runOnly,
      rules: { region: { enabled: false } },
      resultTypes: ['violations'],
    })
    return violations.map(
      ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((node) => node.html.slice(0, 140)).join(' | ')}`,
    )
  }, rules)
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth] as const)
  return width > room ? [...found, `${width} px wide in a window of ${room}`] : found
}
