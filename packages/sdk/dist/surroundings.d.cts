/** What the client needs of the world. Tests give their own. */
export interface Surroundings {
    now(): number;
    /** 0 to 1. */
    random(): number;
    /** Rejects with the signal's reason. */
    sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}
export declare const world: Surroundings;
/** Web Crypto; Node 18 has it under another name. */
export declare function webCrypto(): Promise<Crypto>;
