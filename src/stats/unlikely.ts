/** Smaller chances than this are no longer taken for luck. */
export const unlikely = 0.05;
