// The way between the four parts of webhooks.
import { Link } from '@tanstack/react-router'
import classes from './webhooks.module.css'

const tabs = [
  { to: '/webhooks', label: 'Deliveries' },
  { to: '/webhooks/endpoints', label: 'Endpoints' },
  { to: '/webhooks/replay', label: 'Replay' },
  { to: '/webhooks/check', label: 'Check a signature' },
] as const

export function WebhookTabs() {
  return (
    <nav className={classes.tabs} aria-label="Webhooks">
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
