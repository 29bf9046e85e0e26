/** Ends what the runner of tests follows: see runner-hook.cjs. */
export declare function stopFollowing(): void;
