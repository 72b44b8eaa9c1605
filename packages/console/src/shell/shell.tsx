// The frame around every page of a signed-in merchant, and starts the live updates.
import { Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { keyDialog } from '../keys/dialog.ts'
import { followChanges } from '../live.ts'
import { Confirmation } from '../login/confirmation.tsx'
import { useChangeMerchant, useMerchant } from '../login/queries.ts'
import { useLive } from '../mode.ts'
import { Mark } from '../ui/icon.tsx'
import { browserZone, setZone } from '../zone.ts'
import { Header } from './header.tsx'
import { Nav } from './nav.tsx'
import classes from './shell.module.css'

const CreateKey = lazy(() => import('../keys/create-key.tsx'))

export function Shell() {
  const client = useQueryClient()
  const live = useLive()
  const [isOpen, menu] = useDisclosure(false)
  const isMakingKey = keyDialog.use()
  useEffect(() => followChanges(client), [client])
  useMerchantZone()
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        To the content
      </a>
      <aside className={classes.side}>
        <div className={classes.sideInner}>
          <Brand />
          <Nav />
        </div>
      </aside>
      <Drawer opened={isOpen} onClose={menu.close} size={264} title={<Brand />} padding="sm">
        <Nav onGo={menu.close} />
      </Drawer>
      <div className={classes.main} data-test={live ? undefined : true}>
        <Header onMenu={menu.open} />
        <main id="content" className={classes.content}>
          <Outlet />
        </main>
      </div>
      <Confirmation />
      {isMakingKey ? (
        <Suspense fallback={null}>
          <CreateKey />
        </Suspense>
      ) : null}
    </div>
  )
}

/** Days are of the zone that the merchant set; at the first visit that is this browser's. */
function useMerchantZone(): void {
  const { data: merchant } = useMerchant()
  const { mutate } = useChangeMerchant()
  const isNew = merchant !== undefined && merchant.time_zone === null
  const zone = merchant?.time_zone
  useEffect(() => {
    if (zone !== undefined) setZone(zone)
  }, [zone])
  useEffect(() => {
    // Where the server does not know its name, it is the browser's as long as nobody chooses one.
    if (isNew) mutate({ time_zone: browserZone() })
  }, [isNew, mutate])
}

function Brand() {
  const { data } = useMerchant()
  return (
    <Link to="/" className={classes.brand}>
      <Mark size={26} />
      <span className={classes.brandName}>{data?.name ?? 'Florin'}</span>
    </Link>
  )
}
