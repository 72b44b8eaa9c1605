// How the console looks: one accent, cool greys, small type, quiet borders. Text colours reach the contrast of
// WCAG AA on every surface they stand on, in both schemes.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const ink: MantineColorsTuple = [
  '#eef3ff',
  '#dbe5fd',
  '#b8cbfa',
  '#91aef5',
  '#7096f0',
  '#5a84ec',
  '#4673e3',
  '#2f5bcf',
  '#264cb0',
  '#1c3a8a',
]
const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eff1f4',
  '#e3e6eb',
  '#d2d7df',
  '#b3bbc7',
  '#8791a0',
  '#5f6a7a',
  '#475160',
  '#2d3542',
  '#171c25',
]
const dark: MantineColorsTuple = [
  '#e7eaf0',
  '#c3c9d4',
  '#9aa4b4',
  '#707b8c',
  '#3b4350',
  '#2d343f',
  '#20262f',
  '#171b22',
  '#11151a',
  '#0c0f13',
]

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 7 },
  colors: { ink, gray, dark },
  white: '#ffffff',
  black: '#171c25',
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    '-apple-system, "Segoe UI", Roboto, Inter, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, system-ui, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 10,
        transitionProps: { duration: 120 },
        closeButtonProps: { 'aria-label': 'Close' },
        // Its title bar is no banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Drawer: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: { header: { role: 'presentation' } },
      },
    },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: false, fz: 'xs' } },
    // The placeholder that would take the first focus is no item of a menu, and screen readers stumble over it.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#171c25',
    '--mantine-color-dimmed': '#5f6a7a',
    '--mantine-color-placeholder': '#6b7585',
    '--mantine-color-anchor': '#2f5bcf',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#d2d7df',
    '--fl-line': '#e3e6eb',
    '--fl-surface': '#f7f8fa',
    '--fl-hover': '#f4f6f9',
    '--fl-calm': '#475160',
    '--fl-calm-bg': '#eff1f4',
    '--fl-busy': '#264cb0',
    '--fl-busy-bg': '#e6edfe',
    '--fl-good': '#0f6b46',
    '--fl-good-bg': '#ddf3e7',
    '--fl-warn': '#87510a',
    '--fl-warn-bg': '#fdf0d5',
    '--fl-bad': '#a3211a',
    '--fl-bad-bg': '#fce5e3',
    '--fl-plot': '#4673e3',
    '--fl-plot-soft': '#dbe5fd',
  },
  dark: {
    '--mantine-color-body': '#171b22',
    '--mantine-color-text': '#e7eaf0',
    '--mantine-color-dimmed': '#9aa4b4',
    '--mantine-color-placeholder': '#8a94a5',
    '--mantine-color-anchor': '#91aef5',
    '--mantine-color-error': '#ff9b93',
    '--mantine-color-default': '#20262f',
    '--mantine-color-default-border': '#3b4350',
    '--fl-line': '#2d343f',
    '--fl-surface': '#11151a',
    '--fl-hover': '#1d232b',
    '--fl-calm': '#c3c9d4',
    '--fl-calm-bg': '#2a313b',
    '--fl-busy': '#b8cbfa',
    '--fl-busy-bg': '#213059',
    '--fl-good': '#86dcb0',
    '--fl-good-bg': '#123a29',
    '--fl-warn': '#f2c879',
    '--fl-warn-bg': '#3d2d10',
    '--fl-bad': '#ffaca5',
    '--fl-bad-bg': '#4a1d1a',
    '--fl-plot': '#7096f0',
    '--fl-plot-soft': '#24345f',
  },
})
