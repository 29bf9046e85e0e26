/**
 * The connection broke while a commit was under way, or PostgreSQL was told not to wait until its standby had it: it
 * was done for good or it was not, and nobody can say which. So what it held is not run again by itself: replies would
 * be sent twice. The caller reads that the database is away, and may ask again.
 */
export class LostCommit extends Error {}
