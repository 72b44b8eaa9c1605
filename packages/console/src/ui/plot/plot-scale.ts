// The arithmetic of the plots: round ticks, and lines that break where there is no value. Pure.

/** Ticks from 0 to a round number at or above `max`, 3 to 6 of them. @example niceTicks(47) // [0, 20, 40, 60] */
export function niceTicks(max: number): number[] {
  if (!(max > 0)) return [0, 1]
  const rough = max / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n * 3 >= max) ?? 10 * power
  const n = Math.ceil(max / step - 1e-9)
  // Multiplied, not added up: 0.1 + 0.2 is not 0.3.
  return Array.from({ length: n + 1 }, (_, i) => Number((i * step).toPrecision(12)))
}

/** The d of an SVG path through the points; null is a gap, and a point alone between gaps is a dot. */
export function linePath(
  values: readonly (number | null)[],
  x: (n: number) => number,
  y: (value: number) => number,
): string {
  return values
    .map((value, n) => {
      if (value === null) return ''
      const at = `${round(x(n))} ${round(y(value))}`
      const isStart = n === 0 || values[n - 1] === null
      const isAlone = isStart && (values[n + 1] ?? null) === null
      return isAlone ? `M${at}h0` : `${isStart ? 'M' : 'L'}${at}`
    })
    .join('')
}

const round = (n: number): number => Math.round(n * 10) / 10

/** Which of the points get a label below the axis: at most `room`, the first always among them, evenly spaced. */
export function labelled(points: number, room: number): number[] {
  const every = Math.max(1, Math.ceil(points / Math.max(1, room)))
  return Array.from({ length: Math.ceil(points / every) }, (_, n) => n * every)
}

/** Whether a series has anything to show. */
export const hasValues = (values: readonly (number | null)[]): boolean =>
  values.some((value) => value !== null && value !== 0)
