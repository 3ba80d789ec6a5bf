import { useEffect, useRef } from 'react'
import { focusMain } from '#client/layout/main-region.tsx'
import { NETWORK_NAME } from '#rules/constants'

/** The title of the browser's tab for a page with this title. */
export function documentTitle(title: string): string {
  return title ? `${title} · ${NETWORK_NAME}` : NETWORK_NAME
}

/** Sets the document title of each route and moves the focus to its content, except on load. */
export function useRouteChange(path: string, title: string): void {
  const shownPath = useRef(path)
  useEffect(() => {
    document.title = documentTitle(title)
  }, [title])
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    window.scrollTo(0, 0)
    focusMain()
  }, [path])
}
