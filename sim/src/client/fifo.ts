/**
 * First in, first out. The place of what was taken stays for a while: to move
 * a long queue up for each item that goes would cost its whole length.
 */
export class Fifo<T> {
  private items: (T | undefined)[] = [];
  /** Where the first of those that wait stands. */
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  push(item: T): void {
    this.items.push(item);
  }

  /** The item that waits longest; undefined if none does. */
  shift(): T | undefined {
    const item = this.items[this.head];
    if (this.head < this.items.length) this.items[this.head++] = undefined;
    if (this.head > EMPTY_MAX && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}

/** Empty places that a queue keeps, however short it is. */
const EMPTY_MAX = 16;
