/** On Apple's keyboards shortcuts are made with ⌘, elsewhere with Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
