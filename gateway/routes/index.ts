import type { Routes } from '#gateway/http/route'
import { accountRoutes } from './account.ts'
import { appRoutes } from './app.ts'
import { deviceRoutes } from './devices.ts'
import { inboxRoutes } from './inbox.ts'
import { miningRoutes } from './mining.ts'
import { passkeyRoutes } from './passkeys.ts'
import { passwordRoutes } from './password.ts'
import { privacyRoutes } from './privacy.ts'
import { profileRoutes } from './profile.ts'
import { reminderRoutes } from './reminders.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { signUpRoutes } from './sign-up.ts'
import { taskRoutes } from './tasks.ts'
import { teamRoutes } from './team.ts'
import { telegramRoutes } from './telegram.ts'
import { walletRoutes } from './wallet.ts'

export const ROUTES: Routes = {
  ...accountRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...signUpRoutes,
  ...miningRoutes,
  ...taskRoutes,
  ...walletRoutes,
  ...teamRoutes,
  ...appRoutes,
  ...profileRoutes,
  ...deviceRoutes,
  ...passwordRoutes,
  ...privacyRoutes,
  ...reminderRoutes,
  ...inboxRoutes,
  ...telegramRoutes,
}
