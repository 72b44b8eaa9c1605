// The short notices that something worked. What failed is said beside what was tried, not here.
import { notifications } from '@mantine/notifications'

export const notify = (message: string): void => {
  notifications.show({ message, withBorder: true, color: 'green.8', closeButtonProps: { 'aria-label': 'Dismiss' } })
}
