import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  use,
  useId,
  useRef,
  useState,
} from 'react'
import { classNames } from '#client/ui/class-names.ts'

// Tabs of Radix measure styles and update while React commits them, which doubles the longest task of a
// page load. These follow the same pattern (WAI-ARIA, tabs with automatic activation).

/** What the tabs share; `hasChanged` once another tab than the first has been selected. */
type Shared = { id: string; selected: string; hasChanged: boolean; select: (value: string) => void }

const TabsContext = createContext<Shared>({
  id: '',
  selected: '',
  hasChanged: false,
  select: () => {},
})

const tabId = ({ id }: Shared, value: string) => `${id}-tab-${value}`
const panelId = ({ id }: Shared, value: string) => `${id}-panel-${value}`

type TabsProps = ComponentProps<'div'> & {
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
}

/** Contains a `TabsList` and `TabsContent`s. */
export function Tabs({ value, defaultValue = '', onValueChange, ...rest }: TabsProps) {
  const id = useId()
  const [own, setOwn] = useState(defaultValue)
  const [hasChanged, setHasChanged] = useState(false)
  const selected = value ?? own
  function select(next: string) {
    if (next === selected) return
    setOwn(next)
    setHasChanged(true)
    onValueChange?.(next)
  }
  return (
    <TabsContext value={{ id, selected, hasChanged, select }}>
      <div {...rest} />
    </TabsContext>
  )
}

function placeAfter(key: string, place: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (place + 1) % count
  if (key === 'ArrowLeft') return (place + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]:not([disabled])')]
  const place = tabs.indexOf(event.target as HTMLElement)
  const next = place < 0 ? undefined : placeAfter(event.key, place, tabs.length)
  if (next === undefined) return
  event.preventDefault()
  tabs[next]?.focus()
}

/** The row of tabs; needs an `aria-label`. */
export function TabsList({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      role="tablist"
      aria-orientation="horizontal"
      onKeyDown={moveFocus}
      className={classNames(
        'flex flex-wrap gap-1 rounded-control border border-line bg-panel p-1',
        className,
      )}
      {...rest}
    />
  )
}

/** A tab, selected by the focus; only the selected one is a tab stop. */
export function TabsTrigger({ value, ...rest }: ComponentProps<'button'> & { value: string }) {
  const shared = use(TabsContext)
  const isSelected = value === shared.selected
  const select = () => shared.select(value)
  return (
    <button
      type="button"
      role="tab"
      id={tabId(shared, value)}
      aria-controls={panelId(shared, value)}
      aria-selected={isSelected}
      data-state={isSelected ? 'active' : 'inactive'}
      tabIndex={isSelected ? 0 : -1}
      // The secondary button must not focus, and so select, a tab.
      onMouseDown={(event) => {
        if (event.button !== 0 || event.ctrlKey) event.preventDefault()
      }}
      onFocus={select}
      // Safari does not focus a button that is pressed.
      onClick={select}
      className={classNames(
        // Equal widths, unless a word needs more.
        'min-h-11 min-w-min grow basis-0 rounded-chip px-2 text-sm font-medium text-balance text-muted transition hover:text-ink',
        'data-[state=active]:bg-pressed data-[state=active]:text-ink disabled:cursor-not-allowed disabled:hover:text-muted',
      )}
      {...rest}
    />
  )
}

type TabsContentProps = ComponentProps<'div'> & {
  value: string
  /** What it shows is hidden, not removed, while another tab is selected: a form keeps its input. */
  isKept?: boolean
}

export function TabsContent({
  value,
  isKept = false,
  className,
  children,
  ...rest
}: TabsContentProps) {
  const shared = use(TabsContext)
  const isSelected = value === shared.selected
  const wasSelected = useRef(false)
  wasSelected.current ||= isSelected
  return (
    <div
      role="tabpanel"
      id={panelId(shared, value)}
      aria-labelledby={tabId(shared, value)}
      hidden={!isSelected}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel of tabs without a control is a tab stop.
      tabIndex={0}
      className={classNames('rounded-chip', shared.hasChanged && 'animate-fade-in', className)}
      {...rest}
    >
      {(isSelected || (isKept && wasSelected.current)) && children}
    </div>
  )
}
