// The way through the console: the list of places at the left, or in the drawer of a phone.
import { Link, type LinkProps } from '@tanstack/react-router'
import { useOpenAttention } from '../attention/queries.ts'
import { useIsOperator } from '../login/queries.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import classes from './shell.module.css'

interface Place {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: IconName
  isExact?: boolean
}

interface PlaceGroup {
  label: string | null
  places: readonly Place[]
  forOperators?: true
}

const groups: readonly PlaceGroup[] = [
  {
    label: null,
    places: [
      { to: '/', label: 'Overview', icon: 'overview', isExact: true },
      { to: '/sell', label: 'Sell', icon: 'plus' },
      { to: '/orders', label: 'Orders', icon: 'orders' },
      { to: '/links', label: 'Payment links', icon: 'send' },
      { to: '/invoices', label: 'Invoices', icon: 'table' },
      { to: '/attention', label: 'Needs attention', icon: 'attention' },
      { to: '/addresses', label: 'Receiving addresses', icon: 'wallet' },
    ],
  },
  {
    label: 'Developers',
    places: [
      { to: '/setup', label: 'Set-up guide', icon: 'play' },
      { to: '/keys', label: 'API keys', icon: 'key' },
      { to: '/webhooks', label: 'Webhooks', icon: 'webhook' },
    ],
  },
  {
    label: 'Account',
    places: [
      { to: '/books', label: 'Books and chain', icon: 'check' },
      { to: '/audit', label: 'Audit log', icon: 'audit' },
      { to: '/settings', label: 'Settings', icon: 'settings' },
    ],
  },
  { label: 'Operator', places: [{ to: '/accounts', label: 'Accounts', icon: 'user' }], forOperators: true },
]

export function Nav({ onGo }: { onGo?: () => void }) {
  const open = useOpenAttention().length
  const isOperator = useIsOperator()
  const shown = groups.filter((group) => group.forOperators !== true || isOperator)
  return (
    <nav aria-label="Main" className={classes.nav}>
      {shown.map((group) => (
        <ul key={group.label} className={classes.group} aria-label={group.label ?? 'Business'}>
          {group.label === null ? null : (
            <li className={classes.groupLabel} aria-hidden="true">
              {group.label}
            </li>
          )}
          {group.places.map((place) => (
            <li key={place.to}>
              <Link
                to={place.to}
                className={classes.link}
                activeOptions={{ exact: place.isExact === true, includeSearch: false }}
                activeProps={{ 'aria-current': 'page' }}
                {...(onGo === undefined ? {} : { onClick: onGo })}
              >
                <Icon name={place.icon} size={17} />
                <span>{place.label}</span>
                {place.to === '/attention' && open > 0 ? (
                  <span className={classes.count}>
                    {open > 99 ? '99+' : open}
                    <span className={classes.hidden}> open</span>
                  </span>
                ) : null}
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}
