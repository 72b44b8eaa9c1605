// The plots: bars for what is counted, a line for what is measured. Each has the same numbers as a table behind a
// button, so nothing is told by the drawing alone.
import { ActionIcon, Skeleton, Tooltip } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, type ReactNode, useState } from 'react'
import { reachable } from '../a11y.ts'
import { Icon } from '../icon.tsx'
import classes from './plot.module.css'
import { hasValues, labelled, linePath, niceTicks } from './plot-scale.ts'

export interface PlotPoint {
  at: string
  /** What the moment is called on the axis and in the table. */
  label: string
  value: number | null
}

interface PlotProps {
  title: string
  kind: 'bars' | 'line'
  /** Undefined while loading. */
  points: readonly PlotPoint[] | undefined
  /** The figure of the whole range. */
  total: ReactNode
  /** What else is worth saying of it. */
  note?: string | null
  format: (value: number) => string
  /** For the axis, where there is less room. */
  formatTick?: (value: number) => string
  /** Ticks are round in this unit: 60 for seconds that are read as minutes. */
  tickUnit?: number
  /** The top of the axis, where it is known: 1 for shares. */
  max?: number
  /** What to say when there is nothing to draw. */
  empty: string
  isStale?: boolean
}

const HEIGHT = 150
const LEFT = 46
const BOTTOM = 20
const TOP = 8

export function Plot(props: PlotProps) {
  const { title, points, total, format, empty } = props
  const [asTable, setAsTable] = useState(false)
  const [over, setOver] = useState<number | null>(null)
  const hovered = over === null ? undefined : points?.[over]
  const isEmpty = points !== undefined && !hasValues(points.map((point) => point.value))
  return (
    <section className={classes.card} aria-label={title} data-stale={props.isStale === true ? true : undefined}>
      <header className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <Tooltip label={asTable ? 'Show the plot' : 'Show as a table'}>
          <ActionIcon
            size={24}
            aria-label={`${title}: ${asTable ? 'show the plot' : 'show as a table'}`}
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            <Icon name={asTable ? 'overview' : 'table'} size={15} />
          </ActionIcon>
        </Tooltip>
      </header>
      <p className={classes.total}>
        {points === undefined ? (
          <Skeleton height={20} width={90} />
        ) : hovered === undefined ? (
          total
        ) : (
          textOf(hovered, format)
        )}
        <span className={classes.hovered}>{hovered?.label ?? props.note ?? ''}</span>
      </p>
      {points === undefined ? (
        <Skeleton height={HEIGHT} />
      ) : asTable ? (
        <PlotTable title={title} points={points} format={format} />
      ) : isEmpty ? (
        <div className={classes.empty}>{empty}</div>
      ) : (
        <Drawing {...props} points={points} over={over} onOver={setOver} />
      )}
    </section>
  )
}

const textOf = (point: PlotPoint, format: (value: number) => string) =>
  point.value === null ? '–' : format(point.value)

function PlotTable({
  title,
  points,
  format,
}: {
  title: string
  points: readonly PlotPoint[]
  format: PlotProps['format']
}) {
  return (
    <section className={classes.tableBox} aria-label={`${title}, table`} {...reachable}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">{title}</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.at}>
              <td>{point.label}</td>
              <td>{textOf(point, format)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface DrawingProps extends PlotProps {
  points: readonly PlotPoint[]
  over: number | null
  onOver: (n: number | null) => void
}

function Drawing({ title, kind, points, format, formatTick, tickUnit = 1, max, over, onOver }: DrawingProps) {
  const { ref, width } = useElementSize()
  const inner = Math.max(0, width - LEFT)
  const highest = Math.max(0, ...points.map((point) => point.value ?? 0))
  const ticks = max === undefined ? niceTicks(highest / tickUnit).map((tick) => tick * tickUnit) : [0, max / 2, max]
  const top = ticks.at(-1) ?? 1
  const step = points.length === 0 ? 0 : inner / points.length
  const x = (n: number) => LEFT + step * (n + 0.5)
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.min(1, value / top))
  const nearest = (event: PointerEvent<SVGSVGElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left
    const n = Math.floor((at - LEFT) / step)
    onOver(n >= 0 && n < points.length ? n : null)
  }
  return (
    <div ref={ref} className={classes.box}>
      <svg
        role="img"
        aria-label={`${title}: ${summary(points, format)}`}
        width={width}
        height={HEIGHT}
        onPointerMove={nearest}
        onPointerLeave={() => onOver(null)}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} className={classes.grid} />
            <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end" className={classes.tick}>
              {(formatTick ?? format)(tick)}
            </text>
          </g>
        ))}
        {labelled(points.length, Math.floor(inner / 64)).map((n) => (
          <text
            key={n}
            x={x(n)}
            y={HEIGHT - 4}
            textAnchor={n === 0 && points.length > 8 ? 'start' : 'middle'}
            className={classes.tick}
          >
            {points[n]?.label}
          </text>
        ))}
        {over === null ? null : (
          <line x1={x(over)} x2={x(over)} y1={TOP} y2={HEIGHT - BOTTOM} className={classes.cross} />
        )}
        {kind === 'bars' ? (
          points.map((point, n) => {
            const value = point.value ?? 0
            const barWidth = Math.max(1, Math.min(28, step * 0.7))
            const height = value === 0 ? 0 : Math.max(1.5, HEIGHT - BOTTOM - y(value))
            return (
              <rect
                key={point.at}
                x={x(n) - barWidth / 2}
                y={HEIGHT - BOTTOM - height}
                width={barWidth}
                height={height}
                rx={Math.min(2, barWidth / 3)}
                className={classes.bar}
                data-over={n === over ? true : undefined}
              />
            )
          })
        ) : (
          <path
            d={linePath(
              points.map((point) => point.value),
              x,
              y,
            )}
            className={classes.line}
          />
        )}
        {kind === 'line' && over !== null && points[over]?.value != null ? (
          <circle cx={x(over)} cy={y(points[over].value)} r={4} className={classes.dot} />
        ) : null}
      </svg>
    </div>
  )
}

function summary(points: readonly PlotPoint[], format: (value: number) => string): string {
  const values = points.flatMap((point) => (point.value === null ? [] : [point.value]))
  if (values.length === 0) return 'no values'
  return `${points.length} points, lowest ${format(Math.min(...values))}, highest ${format(Math.max(...values))}`
}
