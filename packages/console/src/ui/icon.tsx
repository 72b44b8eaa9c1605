// The icons: drawn by us on a grid of 20, one line of 1.5. They are always decoration; the words beside them speak.
const paths = {
  overview: 'M3 17V3M3 17h14M6.5 13.5V10M10 13.5v-7M13.5 13.5v-4.5',
  orders: 'M5 2.75h10v14.5l-2.5-1.5-2.5 1.5-2.5-1.5L5 17.25zM8 7h4M8 10.5h4',
  wallet:
    'M3 6.5h12.5a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 15zM3 6.5v-.75a1.75 1.75 0 0 1 1.75-1.75H14M13.25 11.5h.5',
  key: 'M9.3 10.7a3.6 3.6 0 1 0-2.1 2.1l1.55-1.55M9.3 10.7 16.5 3.5M14 6l2 2M5.25 14.75v0',
  webhook: 'M3 10h8M8 6.5 11.5 10 8 13.5M14.5 3.5h.75A1.75 1.75 0 0 1 17 5.25v9.5a1.75 1.75 0 0 1-1.75 1.75h-.75',
  attention: 'M10 3a4.5 4.5 0 0 1 4.5 4.5v3l1.5 3H4l1.5-3v-3A4.5 4.5 0 0 1 10 3zM8.25 16.25a1.8 1.8 0 0 0 3.5 0',
  audit: 'M4 4.5h.5M4 10h.5M4 15.5h.5M7.5 4.5H16M7.5 10H16M7.5 15.5H16',
  settings: 'M3 6h7M14 6h3M3 14h3M10 14h7M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  copy: 'M7.5 7.5h8.75v8.75H7.5zM12.5 7.5V3.75H3.75v8.75H7.5',
  check: 'm4 10.5 4 4 8-9',
  close: 'm5 5 10 10M15 5 5 15',
  search: 'M8.75 14a5.25 5.25 0 1 0 0-10.5 5.25 5.25 0 0 0 0 10.5zM12.6 12.6 16.75 16.75',
  right: 'm8 5 5 5-5 5',
  left: 'm12 5-5 5 5 5',
  down: 'm5 8 5 5 5-5',
  external: 'M11.5 3.5h5v5M16.5 3.5 9.5 10.5M14 11.5v5H3.5V6h5',
  sun: 'M10 13.25a3.25 3.25 0 1 0 0-6.5 3.25 3.25 0 0 0 0 6.5zM10 2.25v1.5M10 16.25v1.5M2.25 10h1.5M16.25 10h1.5M4.5 4.5l1.1 1.1M14.4 14.4l1.1 1.1M4.5 15.5l1.1-1.1M14.4 5.6l1.1-1.1',
  moon: 'M16.5 11.8A6.75 6.75 0 0 1 8.2 3.5a6.75 6.75 0 1 0 8.3 8.3z',
  screen: 'M3 4h14v9.5H3zM7.5 16.5h5M10 13.5v3',
  plus: 'M10 4v12M4 10h12',
  refresh: 'M16 10a6 6 0 1 1-1.75-4.25L16.5 8M16.5 4v4h-4',
  download: 'M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13',
  play: 'M6.5 4.25v11.5L15.5 10z',
  warning: 'M10 3.25 17.5 16h-15zM10 8v3.75M10 13.9v.1',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.25v4M10 6.6v.1',
  logout: 'M8 16.5H4.5a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1H8M12.5 6.5 16 10l-3.5 3.5M16 10H8',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4l2.75 1.75',
  dots: 'M4.75 10v0M10 10v0M15.25 10v0',
  trash: 'M3.75 5.5h12.5M8 5.5v-2h4v2M5.25 5.5l.75 11h8l.75-11M8.5 8.75v4.5M11.5 8.75v4.5',
  edit: 'M4 16l.75-3.25L13.5 4 16 6.5l-8.75 8.75zM11.75 5.75l2.5 2.5',
  table: 'M3.5 4.5h13v11h-13zM3.5 8.2h13M3.5 11.8h13M8 8.2v7.3',
  qr: 'M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h2v2h-2zM15.5 15.5h1v1h-1M16.5 11.5v1.5M11.5 16.5h1.5',
  upload: 'M10 13V3.5M6 7l4-4 4 4M3.5 16.5h13',
  send: 'M17 3 8.5 11.5M17 3l-5.25 14-3.25-5.5L3 8.25z',
  filter: 'M3 5h14M6 10h8M8.5 15h3',
  user: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 16.75a6 6 0 0 1 12 0',
  undo: 'M7.5 4 3.5 8l4 4M3.5 8h8.25a4.5 4.5 0 0 1 0 9H7',
  shield: 'M10 2.75 16 5v4.5c0 3.75-2.5 6.5-6 7.75-3.5-1.25-6-4-6-7.75V5zM7.25 10l2 2 3.5-4',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'dots' ? 2.5 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  )
}

/** The mark: a gold coin, as Florence struck it. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <circle cx="16" cy="16" r="15" fill="#c8902b" />
      <circle cx="16" cy="16" r="11.5" fill="none" stroke="#fff3d6" strokeWidth="1.5" opacity="0.8" />
      <path
        d="M19.5 10c-2.9-1-4.5.4-5 3.2l-1.5 8c-.3 1.6-1.2 2.2-2.7 1.9M11 15.2h7.5"
        fill="none"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </svg>
  )
}
