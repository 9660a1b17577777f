"""A page of the server in the browser, with the gestures of a person."""

import re

PGN = """[Event "Opera"]
[White "Paul Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 $6 {A weak move already.} 4. dxe5 (4. Nc3 {is solid too} Nf6 5. dxe5 Bxf3 6. Qxf3)
4... Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 $2 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8
13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


class Failed(Exception):
    """A check that does not hold, in words."""


class Driver:
    """One browser context with one page; collects everything that the console reports."""

    def __init__(self, browser, server, view="analysis", query="", storage=None, **options):
        self.server = server
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, "accept_downloads": True, **options}, storage_state=storage)
        self.context.set_default_timeout(20000)
        self.faults = []
        self.page = self.open(view, query)

    def open(self, view="analysis", query=""):
        page = self.context.new_page()
        page.on("console", lambda message: self.faults.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(f"{self.server.address.rstrip('/')}/#/{view}{query}")
        page.wait_for_selector("#connection.connected", timeout=20000)
        page.wait_for_selector("#view > div")
        return page

    def close(self):
        """Ends the session too: the server has room for a limited number."""
        try:
            self.page.evaluate("""async () => {
                const { session } = await import("/session.js");
                if (session.state === "connected") await session.send(`/api/sessions/${session.id}/close`, {});
            }""")
        finally:
            self.context.close()

    def forgive(self, text):
        """A refusal that the check asked for is reported by the console too."""
        self.faults = [fault for fault in self.faults if text not in fault]

    def go(self, view):
        self.page.click(f'nav a[href="#/{view}"]')
        self.page.wait_for_selector(f'body[data-view="{view}"]')

    def expect(self, what, holds, seconds=15):
        """Waits until `holds()` is true."""
        for _ in range(int(seconds * 20)):
            if holds():
                return
            self.page.wait_for_timeout(50)
        raise Failed(what)

    def fen(self):
        """The FEN of the current node of the study."""
        return self.page.input_value('input[aria-label="FEN"]')

    def center(self, square, board=".board"):
        box = self.page.locator(board).first.bounding_box()
        size = box["width"] / 8
        file, rank = ord(square[0]) - 97, int(square[1]) - 1
        if self.page.locator(board).first.locator(".names text").first.text_content() == "h":
            file, rank = 7 - file, 7 - rank
        return box["x"] + (file + 0.5) * size, box["y"] + (7 - rank + 0.5) * size

    def drag(self, start, end):
        self.wait_for_legal(start)
        self.page.mouse.move(*self.center(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.center(end), steps=6)
        self.page.mouse.up()

    def click_move(self, start, end):
        self.wait_for_legal(start)
        self.page.mouse.click(*self.center(start))
        self.page.mouse.click(*self.center(end))

    def wait_for_legal(self, square):
        """The board knows the legal moves when the pointer shows a hand over the piece."""
        self.page.locator(".board").first.scroll_into_view_if_needed()

        def is_ready():
            x, y = self.center(square)
            self.page.mouse.move(x + 3, y + 3)
            self.page.mouse.move(x, y)
            return "grab" in (self.page.locator(".board").first.get_attribute("class") or "")

        self.expect(f"the piece on {square} can be moved", is_ready)

    def key_move(self, start, end):
        """Walks with the arrow keys from square to square and presses Enter on both."""
        self.wait_for_legal(start)
        self.page.locator('.board .cell[tabindex="0"]').first.focus()
        for square in (start, end):
            self.walk(square)
            self.page.keyboard.press("Enter")

    def walk(self, square):
        for _ in range(20):
            here = self.page.evaluate("document.activeElement.dataset.square")
            if here == square:
                return
            keys = []
            if here[0] != square[0]:
                keys.append("ArrowRight" if here[0] < square[0] else "ArrowLeft")
            if here[1] != square[1]:
                keys.append("ArrowUp" if here[1] < square[1] else "ArrowDown")
            flipped = self.page.locator(".board .names text").first.text_content() == "h"
            opposite = {"ArrowRight": "ArrowLeft", "ArrowLeft": "ArrowRight", "ArrowUp": "ArrowDown", "ArrowDown": "ArrowUp"}
            self.page.keyboard.press(opposite[keys[0]] if flipped else keys[0])
        raise Failed(f"the cursor does not reach {square}")

    def type_move(self, text):
        field = self.page.locator('input[aria-label="Type a move in SAN or UCI notation"]')
        field.fill(text)
        field.press("Enter")

    def moves(self):
        """The main line and variations as text, without numbers."""
        texts = self.page.locator(".tree .move").all_text_contents()
        return [re.sub(r"^\d+\.+", "", text) for text in texts]

    def load_pgn(self, pgn=PGN):
        details = self.page.locator("details", has_text="Paste PGN")
        if not details.get_attribute("open") and not self.page.locator('textarea[aria-label="PGN"]').is_visible():
            details.locator("summary").click()
        self.page.fill('textarea[aria-label="PGN"]', pgn)
        details.locator("button", has_text="Load").click()

    def load_fen(self, fen):
        field = self.page.locator('input[aria-label="FEN"]')
        field.fill(fen)
        field.press("Enter")
        self.page.locator("body").evaluate("() => document.activeElement.blur()")

    def engine(self, is_on):
        switch = self.page.locator(".switch")
        if (switch.get_attribute("aria-checked") == "true") != is_on:
            switch.click()


def new(browser, server, drivers, **options):
    """A page in a context of its own, which ends with the check."""
    driver = Driver(browser, server, **options)
    drivers.append(driver)
    return driver
