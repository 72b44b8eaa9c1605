// The page's few drawings. They are decoration: what they mean always stands beside them in words.
const paths = {
  arrow_left: 'M13 4 7 10l6 6',
  check: 'm4.5 10.5 3.6 3.6L15.5 6.5',
  chevron: 'm7.5 5 5 5-5 5',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM10 6.2V10l2.6 1.8',
  copy: 'M7.5 7.5h8v8h-8zM12.5 7.5v-3h-8v8h3',
  cross: 'm5.5 5.5 9 9m0-9-9 9',
  external: 'M8 5H5v10h10v-3M11 4.5h4.5V9M15 5l-6 6',
  flask: 'M8 3.5h4M8.8 3.5v4.7L4.9 15a1.2 1.2 0 0 0 1 1.8h8.2a1.2 1.2 0 0 0 1-1.8l-3.9-6.8V3.5M6.6 12.4h6.8',
  printer: 'M6 7.5v-4h8v4M6 14H4V8h12v6h-2M6 12h8v4.5H6z',
  return: 'M7.5 4 4 7.5 7.5 11M4.5 7.5h7a4.2 4.2 0 1 1 0 8.4H8',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4Zm3.7 8.7L16.5 16.5',
  swap: 'M4 7.5h11.5l-3-3M16 12.5H4.5l3 3',
  warning: 'M10 3.4 2.6 16.2h14.8L10 3.4Zm0 4.8v3.9m0 2.1v.1',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
