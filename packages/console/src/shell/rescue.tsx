// The last net of the console: a fault outside the pages, which the router does not catch, leaves words and a button
// rather than an empty window. It uses no other part of the console, because any of them may be what failed.
import { Component, type ReactNode } from 'react'

export class Rescue extends Component<{ children: ReactNode }, { message: string | null }> {
  override state: { message: string | null } = { message: null }

  static getDerivedStateFromError(error: unknown): { message: string } {
    return { message: error instanceof Error ? error.message : String(error) }
  }

  override render(): ReactNode {
    const { message } = this.state
    if (message === null) return this.props.children
    return (
      <main className="broken">
        <h1>The console stopped because of a fault</h1>
        <p>Orders, settlements and webhooks are not affected. Reload the page to continue.</p>
        <p>
          The browser reported: <code>{message}</code>
        </p>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </main>
    )
  }
}
