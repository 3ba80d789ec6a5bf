export const ACCOUNT_VIEWS = ['security', 'notifications', 'identity', 'data'] as const

export type AccountView = (typeof ACCOUNT_VIEWS)[number]

export const hrefOfView = <View extends AccountView>(view: View) => `/account?view=${view}` as const

/** Undefined for the profile. */
export function viewOf(search: string): AccountView | undefined {
  const named = new URLSearchParams(search).get('view')
  return ACCOUNT_VIEWS.find((view) => view === named)
}
