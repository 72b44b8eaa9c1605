// The last net of the page: when a part of it throws, the server's own page takes its place, which needs no script. It is
// fetched anew, and again at each change of the order, so that nobody is asked to pay what is paid.
import { Component, type ReactNode } from 'react'
import type { Store } from './store.ts'

interface RescueProps {
  /** The HTML that the server wrote into the root of the page. */
  page: readonly Node[]
  store: Store
  children: ReactNode
}

export class Rescue extends Component<RescueProps, { isBroken: boolean }> {
  override state = { isBroken: false }
  private place: HTMLElement | null = null
  private shownVersion = -1

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override componentDidCatch(): void {
    this.place?.replaceChildren(...this.props.page)
    const { store } = this.props
    const follow = (): void => {
      const { version } = store.get().checkout
      if (version === this.shownVersion) return
      this.shownVersion = version
      void this.showNewest()
    }
    follow()
    store.subscribe(follow)
  }

  private async showNewest(): Promise<void> {
    const answer = await fetch(location.href).catch(() => null)
    const html = answer?.ok ? await answer.text().catch(() => null) : null
    const root = html === null ? null : new DOMParser().parseFromString(html, 'text/html').getElementById('root')
    if (root !== null) this.place?.replaceChildren(...root.childNodes)
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children
    return (
      <div
        ref={(place) => {
          this.place = place
        }}
      />
    )
  }
}
