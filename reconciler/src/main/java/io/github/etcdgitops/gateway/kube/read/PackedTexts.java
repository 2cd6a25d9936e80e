package io.github.etcdgitops.gateway.kube.read;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// Many small texts that resemble each other, compressed by blocks. Who reads texts about in the order in
/// which they were added unpacks each block once: the blocks read last stay unpacked.
final class PackedTexts {
    private static final int BLOCK = 32 << 10;
    /// How many bytes of unpacked blocks stay.
    private static final int UNPACKED = 16 * BLOCK;

    private static final int OVERHEAD = 64;
    private static final int BITS = 20;
    private static final int MASK = (1 << BITS) - 1;

    private final AtomicLong room;
    private final List<Block> blocks = new ArrayList<>();
    private final Map<Integer, byte[]> unpacked = new LinkedHashMap<>(16, 0.75f, true);
    private ByteArrayOutputStream open = new ByteArrayOutputStream();
    private long kept;
    private int held;

    @SuppressWarnings("ArrayRecordComponent") // never compared, and never given away
    private record Block(byte[] deflated, int length) {}

    /// Takes what it keeps from `room`, which it may overdraw by a block.
    PackedTexts(AtomicLong room) {
        this.room = room;
    }

    /// Returns the place of the text, which is shorter than a MiB.
    synchronized long add(byte[] text) {
        if (text.length + BLOCK > MASK) {
            throw new IllegalArgumentException("a text of " + text.length + " bytes is too long to be packed");
        }
        long place = ((long) blocks.size() << (2 * BITS)) | ((long) open.size() << BITS) | text.length;
        open.writeBytes(text);
        if (open.size() >= BLOCK) {
            close();
        }
        return place;
    }

    /// Nothing is added any more.
    synchronized void end() {
        if (open.size() > 0) {
            close();
        }
        open = new ByteArrayOutputStream(0);
    }

    private void close() {
        byte[] text = open.toByteArray();
        open.reset();
        var block = new Block(deflated(text), text.length);
        blocks.add(block);
        kept += block.deflated.length + OVERHEAD;
        room.addAndGet(-block.deflated.length - OVERHEAD);
    }

    private static byte[] deflated(byte[] text) {
        var deflater = new Deflater(Deflater.BEST_SPEED, true);
        try {
            deflater.setInput(text);
            deflater.finish();
            var packed = new byte[text.length + OVERHEAD];
            int length = 0;
            while (!deflater.finished()) {
                packed = length == packed.length ? Arrays.copyOf(packed, 2 * length) : packed;
                length += deflater.deflate(packed, length, packed.length - length);
            }
            return Arrays.copyOf(packed, length);
        } finally {
            deflater.end();
        }
    }

    /// The text at this place.
    synchronized byte[] text(long place) {
        int from = (int) (place >> BITS) & MASK;
        return Arrays.copyOfRange(block((int) (place >> (2 * BITS))), from, from + ((int) place & MASK));
    }

    private byte[] block(int number) {
        if (number == blocks.size()) {
            return open.toByteArray();
        }
        byte[] known = unpacked.get(number);
        if (known != null) {
            return known;
        }
        byte[] text = inflated(blocks.get(number));
        unpacked.put(number, text);
        held += text.length;
        Iterator<byte[]> oldest = unpacked.values().iterator();
        while (held > UNPACKED && unpacked.size() > 1) {
            held -= oldest.next().length;
            oldest.remove();
        }
        return text;
    }

    private static byte[] inflated(Block block) {
        var inflater = new Inflater(true);
        try {
            inflater.setInput(block.deflated);
            var text = new byte[block.length];
            int length = 0;
            while (length < text.length) {
                int more = inflater.inflate(text, length, text.length - length);
                if (more == 0) {
                    throw new IllegalStateException("a packed block ends early");
                }
                length += more;
            }
            return text;
        } catch (DataFormatException e) {
            throw new IllegalStateException("a packed block cannot be read", e);
        } finally {
            inflater.end();
        }
    }

    /// How many bytes it keeps, without unpacked blocks.
    synchronized long kept() {
        return kept + open.size();
    }
}
