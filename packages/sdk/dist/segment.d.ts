/** An id as a part of a path. Throws a TypeError for what would lead to another address. */
export declare function segment(name: string, id: string): string;
