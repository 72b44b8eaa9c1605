// What surrounds every page: theme, cache, notices, router. When a session ends, what was read in it is forgotten.
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from './api.ts'
import { router } from './router.tsx'
import { session } from './session.ts'
import { cssVariables, theme } from './ui/theme/theme.ts'

/** Only what may pass by itself is asked again. */
const mayPass = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status === 503)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry: (failures, error) => failures < 2 && mayPass(error) },
  },
})

const scheme = localStorageColorSchemeManager({ key: 'florin.scheme' })

export function App({ nonce }: { nonce: string }) {
  useEffect(
    () =>
      session.subscribe(() => {
        if (session.get() === null) queryClient.clear()
        void router.invalidate()
      }),
    [],
  )
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={scheme}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" autoClose={5000} limit={3} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
