import { loadTexts, SCREEN_NAMESPACES } from '#client/language/load-texts.ts'

// The app loads the texts of a screen with its code; tests import the code alone.
await loadTexts(...SCREEN_NAMESPACES)
