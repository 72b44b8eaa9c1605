// The bar at the top: search, test or live, colour scheme, account.
import {
  ActionIcon,
  Burger,
  Menu,
  Switch,
  Text,
  TextInput,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { Link, useMatchRoute, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useLiveState } from '../live.ts'
import { signOut } from '../login/queries.ts'
import { setLive, useLive } from '../mode.ts'
import { useSession } from '../session.ts'
import { Icon } from '../ui/icon.tsx'
import classes from './shell.module.css'

export function Header({ onMenu }: { onMenu: () => void }) {
  const live = useLive()
  return (
    <header className={classes.header}>
      <Burger size="sm" onClick={onMenu} aria-label="Open the menu" className={classes.burger} lineSize={1.5} />
      <Search />
      <span className={classes.spacer} />
      {live ? null : <span className={classes.testTab}>Test data: no real money moves</span>}
      <LiveDot />
      <ModeSwitch />
      <Scheme />
      <Account />
    </header>
  )
}

function Search() {
  const navigate = useNavigate()
  const ref = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => ref.current?.focus()]])
  return (
    <search className={classes.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const q = ref.current?.value.trim() ?? ''
          if (q === '') return
          if (/^ord_[0-9A-Za-z]{26}$/.test(q)) void navigate({ to: '/orders/$orderNo', params: { orderNo: q } })
          else void navigate({ to: '/orders', search: { q } })
          if (ref.current !== null) ref.current.value = ''
          ref.current?.blur()
        }}
      >
        <TextInput
          ref={ref}
          size="xs"
          type="search"
          aria-label="Find an order"
          placeholder="Find an order"
          leftSection={<Icon name="search" size={15} />}
          rightSection={<kbd className={classes.kbd}>/</kbd>}
        />
      </form>
    </search>
  )
}

const liveWords = {
  open: 'Updates arrive as they happen',
  connecting: 'Connecting …',
  waiting: 'Updates are interrupted; trying again',
}

function LiveDot() {
  const state = useLiveState()
  return (
    <Tooltip label={liveWords[state]}>
      <span className={classes.liveDot} data-state={state} role="img" aria-label={liveWords[state]} />
    </Tooltip>
  )
}

function ModeSwitch() {
  const live = useLive()
  const navigate = useNavigate()
  const match = useMatchRoute()
  return (
    <Switch
      checked={!live}
      onChange={(event) => {
        setLive(!event.currentTarget.checked)
        // A single order or delivery belongs to one mode, so its page is left.
        if (match({ to: '/orders/$orderNo' }) !== false) void navigate({ to: '/orders' })
        else if (match({ to: '/webhooks/$id' }) !== false) void navigate({ to: '/webhooks' })
        else if (match({ to: '/keys/$id' }) !== false) void navigate({ to: '/keys' })
      }}
      label="Test mode"
      labelPosition="left"
      size="xs"
      color="orange.8"
      classNames={{ label: classes.modeLabel ?? '' }}
    />
  )
}

function Scheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const icon = colorScheme === 'auto' ? 'screen' : colorScheme === 'dark' ? 'moon' : 'sun'
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon size={30} aria-label="Colour scheme">
          <Icon name={icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="sun" />} onClick={() => setColorScheme('light')}>
          Light
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="moon" />} onClick={() => setColorScheme('dark')}>
          Dark
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="screen" />} onClick={() => setColorScheme('auto')}>
          As the system
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Account() {
  const email = useSession()?.email ?? ''
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.account} aria-label="Account">
          {email.slice(0, 1).toUpperCase()}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          Signed in as
          <Text size="sm" c="var(--mantine-color-text)" truncate>
            {email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings" leftSection={<Icon name="settings" />}>
          Settings and sessions
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<Icon name="external" />}>
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="logout" />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
