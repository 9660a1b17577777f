"""The checks of the page, in the order in which they run. Each has a browser context of its own."""

import re

from driver import PGN, START, Failed, new
from checks_search import a_search_is_stopped, a_search_is_watched, the_monte_carlo_tree_is_opened
from checks_whole import (
    a_link_opens_its_position,
    a_lost_server_is_found_again,
    all_views_fit_into_360_pixels,
    dark_mode_follows_the_system,
    the_accessibility_tree_names_everything,
    the_first_paint_is_fast,
    ten_tabs_do_not_starve_each_other,
    the_laboratory_shows_a_match,
    two_tabs_share_one_session,
)


def moves_by_drag_click_keyboard_and_text(browser, server, drivers):
    page = new(browser, server, drivers)
    page.drag("e2", "e4")
    page.expect("the dragged move is in the list", lambda: page.moves() == ["e4"])
    page.click_move("e7", "e5")
    page.expect("the clicked move is in the list", lambda: page.moves() == ["e4", "e5"])
    page.key_move("g1", "f3")
    page.expect("the move by keyboard is in the list", lambda: page.moves() == ["e4", "e5", "Nf3"])
    page.expect("the move is announced", lambda: page.page.text_content("#live") == "knight g1 to f3")
    page.type_move("nc6")
    page.expect("the typed move is in the list", lambda: page.moves() == ["e4", "e5", "Nf3", "Nc6"])
    page.page.wait_for_selector(".facts >> text=/[A-E][0-9][0-9]/")
    page.type_move("Qh7")
    page.page.wait_for_selector('[role="alert"] >> text="Qh7" is not a legal move here.')
    assert page.moves() == ["e4", "e5", "Nf3", "Nc6"]
    page.page.reload()
    page.expect("the game is there after a reload", lambda: page.moves() == ["e4", "e5", "Nf3", "Nc6"])
    page.expect("the place is there after a reload", lambda: "r1bqkbnr/pppp1ppp/2n5" in page.fen())


def promotion_asks_and_chess960_castles(browser, server, drivers):
    page = new(browser, server, drivers)
    page.load_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    page.expect("the position is on the board", lambda: page.fen().startswith("8/P6k"))
    page.drag("a7", "a8")
    page.page.wait_for_selector('.promotion [aria-label="white knight"]')
    page.page.keyboard.press("n")
    page.expect("the pawn is a knight", lambda: page.moves() == ["a8=N"])
    page.load_fen("rk6/8/8/8/8/8/8/RK5R w HAa - 0 1")
    page.expect("the Chess960 position is on the board", lambda: page.fen().startswith("rk6"))
    page.drag("b1", "a1")
    page.expect("the king castles onto its rook", lambda: page.moves() == ["O-O-O"])
    page.expect("king and rook stand as after castling", lambda: "/2KR3R " in page.fen())
    page.load_fen("this is no position")
    page.page.wait_for_selector('[role="alert"]')
    assert page.moves() == ["O-O-O"], "a bad FEN changes nothing"
    page.forgive("status of 400")


def the_engine_shows_lines(browser, server, drivers):
    page = new(browser, server, drivers)
    page.page.click('[aria-label="Engine settings"]')
    page.page.locator(".settings select").first.select_option("3")
    page.page.locator(".settings select", has_text="NNUE network").select_option("default")
    page.expect("the network is described", lambda: len(page.page.text_content(".settings p") or "") > 5)
    page.engine(True)
    page.expect("three lines are there", lambda: page.page.locator(".lines .line").count() == 3)
    page.expect("each has an arrow with its score", lambda: page.page.locator(".arrow-label.engine").count() == 3)
    page.expect("the status has depth and speed", lambda: re.search(r"depth \d+/\d+ .* n/s", page.page.text_content(".status") or ""))
    page.expect("the bar has win, draw and loss", lambda: "White wins" in (page.page.get_attribute(".wdl", "aria-label") or ""))
    page.page.locator(".lines .pv").nth(1).hover()
    page.page.wait_for_selector(".popup:visible .board")
    page.page.mouse.move(2, 2)
    page.page.click("text=Threat")
    page.expect("the threat is drawn", lambda: page.page.locator(".arrow.threat").count() > 0)
    page.page.click("text=Threat")
    page.page.click("text=Values")
    page.expect("pieces have values", lambda: page.page.locator(".labels text").count() == 30)
    page.page.click("text=Values")
    page.drag("d2", "d4")
    page.expect("the analysis follows the move", lambda: page.page.locator(".lines .pv").first.text_content() in moves_of_black())
    page.page.reload()
    page.expect("the engine is on after a reload", lambda: page.page.locator(".lines .line").count() == 3)
    page.engine(False)
    page.expect("the engine is off", lambda: page.page.text_content(".status") == "Engine off")


def moves_of_black():
    """Black's moves from the start position."""
    pawns = {f"{file}{rank}" for file in "abcdefgh" for rank in (5, 6)}
    return pawns | {"Na6", "Nc6", "Nf6", "Nh6"}


def a_game_is_annotated_and_saved(browser, server, drivers):
    page = new(browser, server, drivers)
    page.load_pgn()
    page.expect("the game is there", lambda: "Rd8#" in page.moves() and "Nc3" in page.moves())
    page.page.wait_for_selector(".facts >> text=Paul Morphy")
    page.page.wait_for_selector(".comment >> text=A weak move already.")
    page.page.locator(".tree .move", has_text="Bg4").click()
    page.page.click('.annotate [aria-label="brilliant move"]')
    page.expect("the mark is on the move", lambda: "Bg4!!" in page.moves())
    page.page.locator(".comment", has_text="A weak move already.").dblclick()
    page.page.locator(".comment-field").fill("A comment of the test.")
    page.page.keyboard.press("Enter")
    page.page.wait_for_selector(".comment >> text=A comment of the test.")
    page.type_move("Be2")
    page.expect("a new move makes a variation", lambda: page.moves().count("Be2") == 1)
    with page.page.expect_download() as download:
        page.page.click("text=Save PGN")
    text = open(download.value.path(), encoding="utf-8").read()
    for part in ("Bg4 $3", "{A comment of the test.}", "Be2", "17. Rd8#", '[White "Paul Morphy"]'):
        assert part in text.replace("\n", " "), f"{part} is not in the saved PGN:\n{text}"
    page.page.reload()
    page.page.wait_for_selector(".comment >> text=A comment of the test.")
    page.expect("marks and variations are there after a reload", lambda: "Bg4!!" in page.moves() and "Be2" in page.moves())
    page.page.click('[aria-label="Delete from here"]')
    page.expect("the variation is deleted", lambda: "Be2" not in page.moves())
    page.load_pgn(PGN + "\n" + PGN.replace("Paul Morphy", "Second Player"))
    page.page.click("dialog >> text=Second Player")
    page.page.wait_for_selector(".facts >> text=Second Player")


def a_position_is_set_up(browser, server, drivers):
    page = new(browser, server, drivers)
    page.page.click("text=Set up position")
    page.page.click("dialog >> text=Clear")
    page.page.click("dialog >> text=Use this position")
    page.page.wait_for_selector("dialog .fault:not(:empty)")
    board = "dialog .board"
    for letter, square in (("white king", "a1"), ("black king", "h8"), ("white queen", "b3")):
        page.page.click(f'dialog [aria-label="{letter}"]')
        page.page.mouse.click(*page.center(square, board))
    page.page.click("dialog >> text=Use this position")
    page.expect("the position is on the board", lambda: page.fen().startswith("7k/8/8/8/8/1Q6/8/K7"))
    page.type_move("Qb7")
    page.expect("the queen moves", lambda: page.moves() == ["Qb7"])
    page.load_fen("startpos")
    page.expect("the start position is there", lambda: page.fen().startswith(START))
    page.page.click("text=Back to the game before")
    page.expect("the game before comes back", lambda: page.moves() == ["Qb7"])
    page.forgive("status of 400")


def a_game_is_played_and_reviewed(browser, server, drivers):
    page = new(browser, server, drivers, view="play")
    page.page.locator(".play-form input[type=range]").fill("0")
    page.page.select_option(".play-form select >> nth=0", "5+3")
    page.page.click("text=Start the game")
    count = lambda: page.page.locator(".tree .move").count()
    page.drag("e2", "e4")
    page.expect("the engine answers the drag", lambda: count() == 2)
    page.key_move("g1", "f3")
    page.expect("the engine answers the keyboard", lambda: count() == 4)
    page.expect("the clock runs", lambda: re.match(r"4:5\d|5:0\d", page.page.locator(".clock-time").last.text_content() or ""))
    page.page.click("text=Take back")
    page.expect("a takeback removes both moves", lambda: count() == 2)
    page.page.click("text=Hint")
    page.expect("a hint is drawn", lambda: page.page.locator(".arrow.engine").count() == 1)
    page.type_move("g1f3")
    page.expect("the engine answers the typed move", lambda: count() == 4)
    page.page.click("text=Offer draw")
    page.page.reload()
    page.expect("the game is there after a reload", lambda: count() >= 4)
    page.page.click("text=Resign")
    page.page.click("text=Really resign?")
    page.page.wait_for_selector(".play-message.over >> text=0-1")
    page.page.click("text=Review this game")
    page.page.wait_for_selector(".review-summary .accuracy", timeout=60000)
    page.expect("the moves are reviewed", lambda: page.page.locator(".review-view .tree .move").count() >= 4)


def games_are_reviewed(browser, server, drivers):
    page = new(browser, server, drivers, view="review")
    page.page.select_option(".review-view select", "50")
    page.page.fill('textarea[aria-label="PGN to review"]', PGN + "\n" + '[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
    page.page.click("text=Review the text")
    page.page.wait_for_selector("progress:visible")
    page.page.wait_for_selector(".review-games >> text=A – B", timeout=90000)
    page.page.wait_for_selector(".review-view details:not([open])", timeout=90000)
    page.page.click(".review-games >> text=A – B")
    page.page.wait_for_selector(".mistake-item.b-blunder")
    assert page.page.locator(".mistake-item p").count() > 0, "a mistake has its reason"
    page.page.locator(".mistake-item.b-blunder", has_text="g4").locator("text=Try again").click()
    page.page.wait_for_selector(".retry >> text=Find a better move.")
    page.drag("g2", "g4")
    page.page.wait_for_selector(".retry >> text=g4 is the move of the game.")
    page.page.click(".retry >> text=Again")
    page.drag("d2", "d4")
    page.expect("another move is judged", lambda: re.search(r"d4 (is|loses)", page.page.text_content(".retry p") or ""))
    page.page.click(".retry >> text=Close")
    for name, part in (("Annotated PGN", "1. f3"), ("Page (HTML)", "<!DOCTYPE html>")):
        with page.page.expect_download() as download:
            page.page.click(f"text={name}")
        text = open(download.value.path(), encoding="utf-8").read()
        assert part in text, f"{name} has no {part}"
    page.page.reload()
    page.page.wait_for_selector(".mistake-item")
    if page.page.locator(".review-games tbody tr").count() != 2:
        raise Failed("both games are there after a reload")


CHECKS = [
    the_first_paint_is_fast,
    moves_by_drag_click_keyboard_and_text,
    promotion_asks_and_chess960_castles,
    the_engine_shows_lines,
    a_game_is_annotated_and_saved,
    a_position_is_set_up,
    a_link_opens_its_position,
    a_search_is_watched,
    a_search_is_stopped,
    the_monte_carlo_tree_is_opened,
    a_game_is_played_and_reviewed,
    games_are_reviewed,
    the_laboratory_shows_a_match,
    two_tabs_share_one_session,
    ten_tabs_do_not_starve_each_other,
    all_views_fit_into_360_pixels,
    dark_mode_follows_the_system,
    the_accessibility_tree_names_everything,
    a_lost_server_is_found_again,
]
