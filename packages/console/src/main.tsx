// Entry of the console: styles, the nonce for the few styles that are made at run time, and the app.
import './ui/theme/mantine.css'
import './ui/theme/base.css'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { Rescue } from './shell/rescue.tsx'

// The server puts a nonce of this answer into the page; Mantine and its scroll lock mark their style elements with it.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
setNonce(nonce)

const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Rescue>
        <App nonce={nonce} />
      </Rescue>
    </StrictMode>,
  )
}
