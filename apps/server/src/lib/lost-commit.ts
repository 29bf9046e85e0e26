/**
 * The connection broke during a commit, or PostgreSQL was told not to wait for its standby. The commit was done or it
 * was not: nobody can say. So nothing runs again by itself, or replies might be sent twice. The caller reads that the
 * database is away, and may ask again.
 */
export class LostCommit extends Error {}
